/**
 * Draws the map of the code: the rooms of each part from the top down, and their imports (`npm run map`). Imports of
 * types count.
 *
 * Fails on a cycle of files or of rooms. Without cycles, all arrows between rooms point down.
 */
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import ts from 'typescript'
import { argumentsOf, oneOf, operand, several } from './usage.ts'

/** The parts with a map. The linter checks imports between parts. */
const PARTS = ['src', 'common', 'command', 'console/src', 'scripts', 'bench', 'test'] as const

/** Each file or room and its imports. */
export type Graph = ReadonlyMap<string, ReadonlySet<string>>

/** The imports among these files, given as path → text. */
export function graphOf(files: ReadonlyMap<string, string>): Graph {
  return new Map(
    [...files].map(([file, text]) => {
      const specifiers = ts.preProcessFile(text).importedFiles.map(({ fileName }) => fileName)
      const paths = specifiers.map((specifier) => posix.join(posix.dirname(file), specifier))
      return [file, new Set(paths.filter((path) => path !== file && files.has(path)))]
    }),
  )
}

/** The room of a file: its folder; a file directly in a part is a room of its own. */
export function roomOf(file: string): string {
  const folder = posix.dirname(file)
  return PARTS.some((part) => part === folder) ? file : folder
}

/** The imports among the rooms of these files. */
export function roomsOf(graph: Graph): Graph {
  const rooms = new Map<string, Set<string>>()
  for (const [file, imported] of graph) {
    const room = roomOf(file)
    const others = [...imported].map(roomOf).filter((other) => other !== room)
    rooms.set(room, new Set([...(rooms.get(room) ?? []), ...others]))
  }
  return rooms
}

/** All nodes that can be reached from one, including itself if it is in a cycle. */
function reached(graph: Graph, from: string, found = new Set<string>()): Set<string> {
  for (const to of graph.get(from) ?? []) {
    if (found.has(to)) continue
    found.add(to)
    reached(graph, to, found)
  }
  return found
}

/** The cycles: the largest groups in which each member reaches each. */
export function cyclesOf(graph: Graph): string[][] {
  const reach = new Map([...graph.keys()].map((one) => [one, reached(graph, one)]))
  const cycles = new Map<string, string[]>()
  for (const [one, others] of reach) {
    const cycle = [...others].filter((other) => reach.get(other)?.has(one)).sort()
    if (cycle.length > 0) cycles.set(cycle.join(' '), cycle)
  }
  return [...cycles.values()]
}

/** The level of each room, above all its imports. The members of a cycle share a level. */
export function levelsOf(graph: Graph): ReadonlyMap<string, number> {
  const cycles = new Map(cyclesOf(graph).flatMap((cycle) => cycle.map((one) => [one, cycle])))
  const levels = new Map<string, number>()
  const levelOf = (one: string): number => {
    const known = levels.get(one)
    if (known !== undefined) return known
    const together = cycles.get(one) ?? [one]
    const below = together
      .flatMap((each) => [...(graph.get(each) ?? [])])
      .filter((to) => !together.includes(to))
    const level = 1 + Math.max(0, ...below.map(levelOf))
    for (const each of together) levels.set(each, level)
    return level
  }
  for (const one of graph.keys()) levelOf(one)
  return levels
}

/** The cycles of files and of rooms, in words. */
export const faultsOf = (graph: Graph): string[] =>
  [graph, roomsOf(graph)].flatMap(cyclesOf).map((cycle) => `a cycle: ${cycle.join(', ')}`)

/** The lines of the map: every room, and every folder with rooms as a whole. */
export function drawn(files: ReadonlyMap<string, string>): string[] {
  const graph = graphOf(files)
  const rooms = roomsOf(graph)
  const levels = levelsOf(rooms)
  const names = [...rooms.keys()]
  const down = names.sort((a, b) => (levels.get(b) ?? 0) - (levels.get(a) ?? 0) || a.localeCompare(b))
  const folders = [...new Set(names.map((room) => posix.dirname(room)))].sort().reverse()
  return [
    line('from the top down', ['files', 'lines', 'levels', 'arrows'], 'imports'),
    ...down.map((room) => row(shown(room), files, graph, (file) => roomOf(file) === room)),
    '',
    ...folders.map((folder) => row(`${folder}/**`, files, graph, (file) => file.startsWith(`${folder}/`))),
    '',
    `rooms: ${rooms.size} on ${Math.max(...levels.values())} levels, ${count(rooms)} arrows between them`,
    `cycles of files: ${cyclesOf(graph).length}, of rooms: ${cyclesOf(roomsOf(graph)).length}`,
  ]
}

/**
 * A line about a group of files: the longest chain and the arrows among them, and the number of arrows to each other
 * room.
 */
function row(
  name: string,
  files: ReadonlyMap<string, string>,
  graph: Graph,
  isIn: (file: string) => boolean,
): string {
  const own = [...graph].filter(([file]) => isIn(file))
  const inside: Graph = new Map(own.map(([file, to]) => [file, new Set([...to].filter(isIn))]))
  const leaving = own.flatMap(([, to]) => [...to].filter((file) => !isIn(file)).map(roomOf))
  const lines = own.reduce((sum, [file]) => sum + linesOf(files.get(file) ?? ''), 0)
  const imports = [...new Set(leaving)]
    .sort()
    .map((room) => `${shown(room)} ${leaving.filter((other) => other === room).length}`)
  const cells = [own.length, lines, Math.max(...levelsOf(inside).values()), count(inside)]
  return line(name, cells.map(String), imports.join(', '))
}

const linesOf = (text: string): number => text.split('\n').length - 1

const line = (name: string, cells: readonly string[], rest: string): string =>
  `${name.padEnd(20)}${cells.map((cell) => cell.padStart(7)).join('')}   ${rest}`.trimEnd()

const shown = (room: string): string =>
  room.replace(new RegExp(`^(${PARTS.join('|')})/`), '').replace(/\.tsx?$/, '')

const count = (graph: Graph): number => [...graph.values()].reduce((sum, to) => sum + to.size, 0)

/** The files of a part, as path → text. */
function filesOf(part: string): ReadonlyMap<string, string> {
  const root = dirname(import.meta.dirname)
  const names = globSync(`${part}/**/*.{ts,tsx,js,mjs}`, { cwd: root }).sort()
  return new Map(names.map((file) => [file, readFileSync(join(root, file), 'utf8')]))
}

if (import.meta.main) {
  const { parts } = argumentsOf({
    name: 'npm run map --',
    does: 'Prints the folders of each part from the top down, with who imports whom; fails on a circular import.',
    options: { parts: operand(several(oneOf('PART', PARTS), 'a part of the code', PARTS)) },
  })
  for (const part of parts) {
    const files = filesOf(part)
    console.log(`${part}, ${drawn(files).join('\n')}\n`)
    const faults = faultsOf(graphOf(files))
    for (const fault of faults) console.error(fault)
    if (faults.length > 0) process.exitCode = 1
  }
}
