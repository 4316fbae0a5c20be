/** What a query finds: how many objects, and their values as a table, on a map, or as a chart. */
import type { JSX } from 'preact'
import { Problem } from '../parts/problem.tsx'
import { useLoaded } from '../parts/loaded.ts'
import { Value } from '../parts/value.tsx'
import { hrefOf, route } from '../route.ts'
import { fetchPage } from '../service/search.ts'

export default function Ask(): JSX.Element {
  const { params } = route.value
  const query = params.get('query') ?? ''
  const columns = params.getAll('column')
  const page = useLoaded(
    (signal) => fetchPage({ query, columns, count: 'exact' }, signal),
    [query, columns.join(' ')],
  )
  if (page.error !== undefined) return <Problem error={page.error} again={page.again} />
  return (
    <>
      <h1>{page.value?.count ?? '…'} objects</h1>
      <table>
        <tbody>
          {page.value?.results.map(({ id, about, values }) => (
            <tr key={id}>
              <th>
                <a href={about === null ? hrefOf('object', ['id', id]) : hrefOf('object', ['about', about])}>
                  {about ?? id}
                </a>
              </th>
              {columns.map((tag) => (
                <td>
                  <Value cell={values[tag]} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </>
  )
}
