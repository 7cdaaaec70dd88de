export function ApiView() {
  return <p>…</p>
}
