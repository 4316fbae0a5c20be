/** The lint rule that holds each file to its row of DIRECTIONS. */
import { dirname, relative, resolve } from 'node:path'
import { DIRECTIONS } from './eslint.directions.js'

const isWithin = (file, places) =>
  places.some((place) => file.replace(/(\.d)?\.[jt]s$/, '') === place || file.startsWith(`${place}/`))

const isOf = (specifier, packages) =>
  packages.some((name) =>
    name === 'node:' ? specifier.startsWith(name) : `${specifier}/`.startsWith(`${name}/`),
  )

export const importDirections = {
  meta: {
    type: 'problem',
    schema: [],
    messages: { forbidden: '{{from}} may not import {{what}}{{hint}} (DIRECTIONS in eslint.directions.js).' },
  },
  create(context) {
    const local = (path) => relative(import.meta.dirname, path).replaceAll('\\', '/')
    const from = local(context.filename)
    const direction = DIRECTIONS.find((row) => isWithin(from, row.from))
    const check = (node, source, typesOnly) => {
      if (direction === undefined || typeof source?.value !== 'string') return
      const relativeTo = source.value.startsWith('.') && dirname(context.filename)
      const what = relativeTo ? local(resolve(relativeTo, source.value)) : source.value
      const allowed = relativeTo
        ? isWithin(what, [...direction.files, ...(typesOnly ? direction.types : [])])
        : isOf(what, direction.packages)
      if (allowed) return
      const hint = isWithin(what, direction.types) ? ' but for its types' : ''
      context.report({ node, messageId: 'forbidden', data: { from, what, hint } })
    }
    return {
      ImportDeclaration: (node) => check(node, node.source, node.importKind === 'type'),
      ExportNamedDeclaration: (node) => node.source && check(node, node.source, node.exportKind === 'type'),
      ExportAllDeclaration: (node) => check(node, node.source, node.exportKind === 'type'),
      ImportExpression: (node) => check(node, node.source, false),
      TSImportType: (node) => check(node, node.source ?? node.argument.literal, true),
    }
  },
}
