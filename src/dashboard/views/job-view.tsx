export function JobView() {
  return <p>…</p>
}
