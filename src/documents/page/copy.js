/** A button beside code that copies it. */

const SAID_MS = 2000

/**
 * Puts a button into the corner of a block of code. It copies what the block holds by then.
 *
 * @param {HTMLElement} block
 */
export function addCopyButton(block) {
  const frame = document.createElement('div')
  frame.className = 'code'
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'copy'
  button.textContent = 'Copy'
  block.before(frame)
  frame.append(block, button)
  button.addEventListener('click', async () => {
    button.textContent = (await copied(block)) ? 'Copied' : 'Press Ctrl+C'
    setTimeout(() => {
      button.textContent = 'Copy'
    }, SAID_MS)
  })
}

/**
 * Copies the text of an element, which is selected if the browser does not allow that. Returns whether it was copied.
 *
 * @param {HTMLElement} element
 * @returns {Promise<boolean>}
 */
async function copied(element) {
  try {
    // Missing where the page came over plain HTTP from another machine.
    await navigator.clipboard.writeText(element.textContent ?? '')
    return true
  } catch {
    getSelection()?.selectAllChildren(element)
    return document.execCommand('copy')
  }
}
