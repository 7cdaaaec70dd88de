export function JobsView() {
  return <p>…</p>
}
