/** What watches Gloss agrees with itself: rules, runbooks, board and the page on monitoring. */
import { readFileSync } from 'node:fs'
import { expect, test } from '@jest/globals'
import { parse } from 'yaml'

const read = (file: string): string => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8')

interface Rule {
  readonly alert: string
  readonly expr: string
  readonly labels: { readonly severity: string }
  readonly annotations: Readonly<Record<string, string>>
}

const rules = (parse(read('deploy/alerts.yaml')) as { groups: { rules: Rule[] }[] }).groups.flatMap(
  (group) => group.rules,
)
const runbooks = new Map(
  read('docs/runbooks.md')
    .split(/^## /m)
    .slice(1)
    .map((section) => [section.slice(0, section.indexOf('\n')), section]),
)

test('each alert has a runbook, and each runbook an alert', () => {
  expect(rules.length).toBeGreaterThan(10)
  expect([...runbooks.keys()]).toEqual(rules.map(({ alert }) => alert))
})

test.each(rules.map((rule) => [rule.alert, rule] as const))('%s leads to its runbook', (alert, rule) => {
  expect(['page', 'ticket']).toContain(rule.labels.severity)
  expect(rule.annotations['summary']).toMatch(/\S/)
  expect(rule.annotations['runbook_url']).toMatch(new RegExp(`/runbooks\\.md#${alert.toLowerCase()}$`))
  const [, commands = ''] = /^```\n([^`]*)^```$/m.exec(runbooks.get(alert) ?? '') ?? []
  expect(commands.trim().split('\n')).toHaveLength(3)
})

test('each job that a rule names is scraped', () => {
  const { scrape_configs: scraped } = parse(read('deploy/prometheus.yaml')) as {
    scrape_configs: { job_name: string }[]
  }
  const named = rules.flatMap(({ expr }) => [...expr.matchAll(/job=~?"([^"]+)"/g)].map(([, job = '']) => job))
  expect(named.length).toBeGreaterThan(5)
  const lost = named.filter((job) => !scraped.some(({ job_name: one }) => new RegExp(`^${job}$`).test(one)))
  expect(lost).toEqual([])
})

test('each metric that is named exists', () => {
  // The page has exactly those that a service gives (test/behaviour/metrics.test.ts).
  const page = read('docs/monitoring.md')
  const metrics = (page.match(/^- `gloss_[^:]+:/gm) ?? []).flatMap((names) => names.match(/gloss_\w+/g) ?? [])
  expect(metrics.length).toBeGreaterThan(20)
  const exists = (name: string): boolean => metrics.includes(name.replace(/_(bucket|sum|count)$/, ''))
  const begins = (name: string): boolean => metrics.some((metric) => metric.startsWith(name))
  const used = ['deploy/alerts.yaml', 'deploy/grafana.json', 'docs/monitoring.md'].map(read).join('\n')
  expect((used.match(/\bgloss_\w+/g) ?? []).filter((name) => !exists(name))).toEqual([])
  // A runbook greps for the beginning of names.
  expect((read('docs/runbooks.md').match(/\bgloss_\w+/g) ?? []).filter((name) => !begins(name))).toEqual([])
})

test('each command of Gloss that a runbook names exists', () => {
  const named = read('docs/runbooks.md').match(/^gloss \w+/gm) ?? []
  expect(named).toContain('gloss doctor')
  const page = read('docs/command.md')
  expect(named.filter((command) => !page.includes(command))).toEqual([])
})

test('no page on watching is longer than 8 kB, without the table that a program printed', () => {
  for (const page of ['docs/monitoring.md', 'docs/runbooks.md'])
    expect([page, read(page).replace(/^\|.*\n/gm, '').length <= 8192]).toEqual([page, true])
})
