/** Has the browser keep something as a file. */
export function saveFile(content: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(content)
  link.download = name
  link.click()
  // The browser has taken what the URL stands for once the click is over.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}
