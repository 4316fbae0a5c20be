/** A condition as fields: tag, operator and value. */
import type { JSX } from 'preact'
import { isNumber, cellText, type Cell } from '../../../common/values.ts'
import { Suggesting, TagInput } from '../parts/tag-input.tsx'
import { suggestValues } from '../service/suggest.ts'
import { OPERATORS } from './completion.ts'
import { valueChoice } from './completing.ts'
import { PlaceButtons, type PartPosition } from './place-buttons.tsx'
import { isFinished, type Condition, type Operand, type Operator } from './tree.ts'

interface RowProps {
  readonly condition: Condition
  readonly onChange: (condition: Condition) => void
  readonly place: PartPosition
}

export function ConditionRow({ condition, onChange, place }: RowProps): JSX.Element {
  const { tag, operator } = condition
  return (
    <div class={isFinished(condition) ? 'condition' : 'condition begun'}>
      <TagInput label="Tag" value={tag} onInput={(next) => onChange({ ...condition, tag: next })} />
      <label>
        Operator
        <select
          value={operator}
          onChange={({ currentTarget }) => onChange(withOperator(condition, currentTarget.value as Operator))}
        >
          {Object.entries(OPERATORS).map(([value, meaning]) => (
            <option key={value} value={value}>
              {/^\w/.test(value) ? `${value}: ${meaning}` : `${value} ${meaning}`}
            </option>
          ))}
        </select>
      </label>
      {operator !== 'has' && (
        <OperandFields condition={condition} onChange={(operand) => onChange({ ...condition, operand })} />
      )}
      <PlaceButtons place={place} what="condition" />
    </div>
  )
}

/** The types with which each operator compares, and the values that are choices of their own. */
const typesFor = (operator: Operator): readonly string[] => {
  if (operator === 'matches' || operator === 'contains') return ['text']
  return operator === '=' || operator === '!='
    ? ['text', 'number', 'true', 'false', 'null']
    : ['text', 'number']
}

/** A condition with another operator, and with a value that fits it. */
function withOperator(condition: Condition, operator: Operator): Condition {
  const { operand } = condition
  const fits = operator === 'has' || typesFor(operator).includes(choiceOf(operand))
  const text = operand.type === 'constant' ? '' : operand.text
  return { ...condition, operator, operand: fits ? operand : { type: 'text', text } }
}

const choiceOf = ({ type, text }: Operand): string => (type === 'constant' ? text : type)

interface OperandProps {
  readonly condition: Condition
  readonly onChange: (operand: Operand) => void
}

function OperandFields({ condition, onChange }: OperandProps): JSX.Element {
  const { tag, operator, operand } = condition
  const types = typesFor(operator)
  const isCompared = types.length > 1
  const choose = (choice: string): void => {
    const text = operand.type === 'constant' ? '' : operand.text
    onChange(
      choice === 'text' || choice === 'number' ? { type: choice, text } : { type: 'constant', text: choice },
    )
  }
  return (
    <>
      {isCompared && (
        <label>
          Type
          <select value={choiceOf(operand)} onChange={({ currentTarget }) => choose(currentTarget.value)}>
            {types.map((type) => (
              <option key={type}>{type}</option>
            ))}
          </select>
        </label>
      )}
      {operand.type !== 'constant' && (
        <Suggesting
          label="Value"
          value={operand.text}
          onInput={(text) => onChange(typed(operand, text, isCompared))}
          suggest={async (text, outdated) =>
            isCompared ? (await suggestValues(tag, text, outdated)).flatMap(valueChoice) : []
          }
          onPick={({ value }) => onChange(operandOf(value))}
        />
      )}
    </>
  )
}

/** Texts that are numbers, or beginnings of numbers. */
const NUMBER = /^-?(\d+(\.\d*)?|\.\d*)?([eE][+-]?\d*)?$/

/**
 * A value from a field: a number if the text begins as one and can still become one, unless the user chooses another
 * type.
 */
function typed(before: Operand, text: string, isCompared: boolean): Operand {
  const mayBe = isCompared && text !== '' && !/^e/i.test(text) && NUMBER.test(text)
  const isNumberNow = mayBe && (before.type === 'number' || before.text === '')
  return { type: isNumberNow ? 'number' : 'text', text }
}

function operandOf(cell: Cell): Operand {
  if (typeof cell === 'string') return { type: 'text', text: cell }
  return { type: isNumber(cell) ? 'number' : 'constant', text: cellText(cell) }
}
