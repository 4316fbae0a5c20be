/** The namespaces and tags that may be seen, as a tree. */
import type { JSX } from 'preact'

export const Tree = (): JSX.Element => <ul role="tree" aria-label="Namespaces and tags" />
