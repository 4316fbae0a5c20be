/** Lists the keyboard shortcuts of this page, with a switch that disables them. */
import type { JSX } from 'preact'
import { Dialog } from '../parts/dialog.tsx'
import { activeKeys, keysOff, switchKeys, type KeyGroup } from '../parts/keys.ts'
import './help.css'

export default function KeysSheet({ onClose }: { onClose: () => void }): JSX.Element {
  return (
    <Dialog title="Keys" onClose={onClose}>
      <div class="keys">
        {activeKeys.value.map((group) => (
          <Group key={group} group={group} />
        ))}
      </div>
      <label class="choice">
        <input
          type="checkbox"
          checked={!keysOff.value}
          onChange={({ currentTarget }) => switchKeys(currentTarget.checked ? 'on' : 'off')}
        />{' '}
        Letters are keys, too
      </label>
      <p class="hint">Without, only keys with Ctrl or Cmd work: for speech input, and for whoever slips.</p>
    </Dialog>
  )
}

const Group = ({ group: { view, keys } }: { group: KeyGroup }): JSX.Element => (
  <section>
    <h3>{view}</h3>
    <dl>
      {Object.entries(keys()).map(([key, [does]]) => (
        <div key={key}>
          <dt>
            <Key name={key} />
          </dt>
          <dd>{does}</dd>
        </div>
      ))}
    </dl>
  </section>
)

const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent)

/** A key with the label on keyboards; two keys in sequence if there are two. */
const Key = ({ name }: { name: string }): JSX.Element => (
  <>
    {name.split(' ').map((one) => (
      <kbd key={one}>
        {one.replace(/^Mod\+(.)/, (_, key: string) => `${isMac ? '⌘' : 'Ctrl'} ${key.toUpperCase()}`)}
      </kbd>
    ))}
  </>
)
