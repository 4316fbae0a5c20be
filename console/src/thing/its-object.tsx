/** Links to the object of a tag or namespace, among its facts. */
import type { JSX } from 'preact'
import { hrefOf } from '../route.ts'

export const ItsObject = ({ id }: { id: string }): JSX.Element => (
  <div>
    <dt>Its object</dt>
    <dd>
      <a class="code" href={hrefOf('object', ['id', id])}>
        {id}
      </a>
    </dd>
  </div>
)
