/** Previews an opaque value without executing any part of it: images appear as images, all other content as text. */
import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { bytesText, essenceOf } from '../edit/content.ts'
import { hexOf, previewKind, readable, textIn } from './texts.ts'

interface PreviewProps {
  readonly tag: string
  readonly contentType: string
  readonly bytes: Uint8Array<ArrayBuffer>
}

export function Preview(props: PreviewProps): JSX.Element {
  const { contentType, bytes } = props
  const [broken, setBroken] = useState(false)
  const kind = previewKind(contentType)
  if (bytes.length === 0) return <p class="hint">It is empty.</p>
  if (kind === 'image' && !broken) return <Picture {...props} onBroken={() => setBroken(true)} />
  if (broken) {
    return (
      <>
        <p class="hint">This browser cannot read it as an image.</p>
        <Bytes {...props} />
      </>
    )
  }
  const text = kind === 'bytes' ? undefined : textIn(bytes, contentType)
  return text === undefined ? <Bytes {...props} /> : <Text {...props} text={text} />
}

function Picture({
  tag,
  contentType,
  bytes,
  onBroken,
}: PreviewProps & { onBroken: () => void }): JSX.Element {
  const [url, setUrl] = useState<string | undefined>()
  useEffect(() => {
    // As an image, an SVG runs no scripts and loads nothing; in its own tab, a `data:` URL has no origin.
    const reader = new FileReader()
    reader.addEventListener('load', () => setUrl(reader.result as string))
    reader.readAsDataURL(new Blob([bytes], { type: essenceOf(contentType) }))
    return () => reader.abort()
  }, [bytes, contentType])
  if (url === undefined) return <p class="waiting">Loading …</p>
  return <img class="value-picture" src={url} alt={`The value of ${tag}`} onError={onBroken} />
}

/** The most characters in the preview. */
const MOST = 20_000

function Text({ tag, contentType, text }: PreviewProps & { text: string }): JSX.Element {
  const isHtml = /html/.test(essenceOf(contentType))
  return (
    <>
      {isHtml && <p class="hint">Stored pages are shown as text.</p>}
      <Box label={`The text of ${tag}`}>{readable(text.slice(0, MOST))}</Box>
      {text.length > MOST && (
        <p class="hint">
          The first {MOST.toLocaleString('en')} of {text.length.toLocaleString('en')} characters.
        </p>
      )}
    </>
  )
}

/** The most bytes in the preview. */
const HEAD = 256

const Bytes = ({ tag, bytes }: PreviewProps): JSX.Element => (
  <>
    <Box label={`The bytes of ${tag}`}>{hexOf(bytes.slice(0, HEAD))}</Box>
    {bytes.length > HEAD && (
      <p class="hint">
        The first {HEAD} of {bytesText(bytes.length)}.
      </p>
    )}
  </>
)

/** Long lines scroll inside the box. */
const Box = ({ label, children }: { label: string; children: string }): JSX.Element => (
  <pre class="value-text code" tabIndex={0} role="region" aria-label={label}>
    {children}
  </pre>
)
