export function NewJobView() {
  return <p>…</p>
}
