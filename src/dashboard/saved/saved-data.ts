/** What `savedPage` put into the page; the build made both, so its shape is known. */
export function savedData<Data>(): Data {
  return JSON.parse(document.querySelector('#data')?.textContent ?? 'null')
}
