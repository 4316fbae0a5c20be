/** Saves a file through the browser. */
export function saveFile(content: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(content)
  link.download = name
  link.click()
  // The browser has read the URL when the click ends.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}
