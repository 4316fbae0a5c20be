/** Explains the colours for numbers of objects. */
import type { JSX } from 'preact'
import { stepsOf } from './bins.ts'
import { stepNumber } from './draw.ts'

export function Legend({ most }: { most: number }): JSX.Element | null {
  if (most === 0) return null
  const steps = stepsOf(most)
  return (
    <ul class="legend" aria-label="Objects in a square">
      <li aria-hidden="true">Objects</li>
      {steps.map(({ from, to }, at) => (
        <li key={to}>
          <span class={`swatch step-${stepNumber(at, steps.length)}`} />
          {from === to ? to.toLocaleString('en') : `${from.toLocaleString('en')}–${to.toLocaleString('en')}`}
        </li>
      ))}
    </ul>
  )
}
