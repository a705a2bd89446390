/** The fields of the forms of steps. */
import {
  NumberInput,
  SegmentedControl,
  Select,
  Switch,
  Textarea,
  TextInput,
  type TextInputProps,
} from '@mantine/core'
import { useRef, type ReactNode } from 'react'
import { FLOW_LIMITS } from '../../../core/limits/flows.ts'
import { measureText, type TextUnit } from '../../../rules/text/text-length.ts'
import { DurationField } from '../../parts/DurationField.tsx'
import { useFocusWithin } from '../../parts/use-focus-within.ts'
import { useFormat } from '../../words/format.ts'
import { useWords } from '../../words/use-words.tsx'
import { useBuilderContext } from '../builder-context.ts'
import layout from '../../parts/layout.module.css'
import styles from '../flows.module.css'
import stepsStyles from './steps.module.css'
import { formWords } from '../words-forms.ts'

type Text = {
  /** The path of the field in the draft: `steps.tell.text`. */
  at: string
  label: string
  help?: ReactNode
  value: string
  onChange(text: string): void
}

/** A text field with one line. */
export function Line({
  at,
  label,
  help,
  value,
  onChange,
  isCode = false,
  ...props
}: Text & { isCode?: boolean } & Omit<TextInputProps, 'onChange' | 'value'>) {
  const { errorAt, mayEdit } = useBuilderContext()
  return (
    <TextInput
      id={idOf(at)}
      label={label}
      description={help}
      value={value}
      error={errorAt(at)}
      readOnly={!mayEdit}
      onChange={(event) => onChange(event.currentTarget.value)}
      {...(isCode && { dir: 'ltr', classNames: { input: layout.codeInput! } })}
      {...props}
    />
  )
}

/** A text field with variables: a click on one inserts it at the cursor. */
export function FilledText({
  at,
  label,
  help,
  value,
  onChange,
  max,
  unit = 'code_points',
  isCode = false,
  isLine = false,
  takesContact = true,
}: Text & {
  /** The maximum length, as the channel counts it. */
  max?: number | undefined
  unit?: TextUnit | undefined
  isCode?: boolean
  isLine?: boolean
  /** The text may contain the customer's name and phone number. */
  takesContact?: boolean
}) {
  const t = useWords(formWords)
  const format = useFormat()
  const { errorAt, variablesAt, mayEdit } = useBuilderContext()
  const whole = useRef<HTMLDivElement | null>(null)
  const { isWithin, onFocus, onBlur } = useFocusWithin(whole)
  const area = useRef<HTMLTextAreaElement | null>(null)
  const length = measureText(value, unit)
  const names = [
    ...variablesAt(stepOf(at)!).map((name) => `vars.${name}`),
    ...(takesContact ? ['contact.name', 'contact.phone'] : []),
  ]
  const insert = (name: string) => {
    const { selectionStart, selectionEnd } = area.current ?? {
      selectionStart: value.length,
      selectionEnd: value.length,
    }
    const put = `{{${name}}}`
    onChange(value.slice(0, selectionStart) + put + value.slice(selectionEnd))
    requestAnimationFrame(() => {
      area.current?.focus()
      area.current?.setSelectionRange(selectionStart + put.length, selectionStart + put.length)
    })
  }
  return (
    <div ref={whole} className={stepsStyles.filled} onFocus={onFocus} onBlur={onBlur}>
      <Textarea
        id={idOf(at)}
        ref={area}
        label={label}
        description={help}
        value={value}
        error={errorAt(at)}
        readOnly={!mayEdit}
        autosize
        minRows={isLine ? 1 : 3}
        maxRows={14}
        dir={isCode ? 'ltr' : 'auto'}
        {...(isCode && { classNames: { input: layout.codeInput! } })}
        onChange={(event) => {
          const text = event.currentTarget.value
          onChange(isLine ? text.replaceAll('\n', ' ') : text)
        }}
      />
      {mayEdit && isWithin && names.length > 0 && <Variables names={names} onInsert={insert} />}
      {max !== undefined && (
        <div className={stepsStyles.counter} data-over={length > max}>
          {t(unit === 'utf8_bytes' ? 'bytes' : 'characters', {
            n: format.number(length),
            most: format.number(max),
          })}
        </div>
      )}
    </div>
  )
}

/** The variables for a text; the text keeps the focus when one is chosen. */
function Variables({
  names,
  onInsert,
}: {
  names: readonly string[]
  onInsert(name: string): void
}) {
  const t = useWords(formWords)
  return (
    <div className={stepsStyles.chips} role="group" aria-label={t('insert_variable')}>
      {names.map((name) => (
        <button
          key={name}
          type="button"
          className={styles.variable}
          aria-label={t('insert', { name })}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onInsert(name)}
        >
          <bdi dir="ltr">{name.replace(/^vars\./, '')}</bdi>
        </button>
      ))}
    </div>
  )
}

/** A field for the name under which an answer is saved; empty to save nothing. */
export function SaveAs({
  at,
  value,
  onChange,
}: {
  at: string
  value: string | null
  onChange(name: string | null): void
}) {
  const t = useWords(formWords)
  return (
    <Line
      at={at}
      label={t('save_as')}
      help={t('save_as_help')}
      isCode
      value={value ?? ''}
      onChange={(name) => onChange(name.replaceAll(/\W/g, '_') || null)}
    />
  )
}

/** A field for a duration in minutes. */
export function Minutes({
  at,
  label,
  help,
  value,
  onChange,
  max = FLOW_LIMITS.waitMinutes,
}: {
  at: string
  label: string
  help?: ReactNode
  value: number
  onChange(minutes: number): void
  max?: number
}) {
  const { errorAt, mayEdit } = useBuilderContext()
  return (
    <DurationField
      id={idOf(at)}
      label={label}
      description={help}
      value={value}
      max={max}
      error={errorAt(at)}
      readOnly={!mayEdit}
      onChange={onChange}
    />
  )
}

/** A field that chooses one of a few values from a list. */
export function OneOf<const Value extends string>({
  at,
  label,
  help,
  value,
  options,
  onChange,
}: {
  at: string
  label: string
  help?: ReactNode
  value: Value
  options: readonly { value: Value; label: string; isDisabled?: boolean }[]
  onChange(value: Value): void
}) {
  const { errorAt, mayEdit } = useBuilderContext()
  return (
    <Select
      id={idOf(at)}
      label={label}
      description={help}
      data={options.map(({ value: of, label: text, isDisabled = false }) => ({
        value: of,
        label: text,
        disabled: isDisabled,
      }))}
      value={value}
      error={errorAt(at)}
      readOnly={!mayEdit}
      searchable={options.length > 8}
      allowDeselect={false}
      onChange={(chosen) => chosen !== null && onChange(chosen)}
    />
  )
}

/** A choice of one of two or three values, all visible. */
export function Either<const Value extends string>({
  label,
  value,
  options,
  onChange,
}: {
  label: string
  value: Value
  options: readonly { value: Value; label: string }[]
  onChange(value: Value): void
}) {
  const { mayEdit } = useBuilderContext()
  return (
    <SegmentedControl
      aria-label={label}
      size="xs"
      data={[...options]}
      value={value}
      readOnly={!mayEdit}
      onChange={(chosen) => onChange(chosen)}
    />
  )
}

/** A switch with a label and a help text. */
export function YesNo({
  label,
  help,
  value,
  onChange,
}: {
  label: string
  help?: ReactNode
  value: boolean
  onChange(value: boolean): void
}) {
  const { mayEdit } = useBuilderContext()
  return (
    <Switch
      label={label}
      description={help}
      checked={value}
      disabled={!mayEdit}
      onChange={(event) => onChange(event.currentTarget.checked)}
    />
  )
}

/** A switch that gives a step a separate path for one outcome; by default that ends the run or hands over. */
export function OptionalExit({
  label,
  help,
  isOpen,
  onOpen,
  onClose,
}: {
  label: string
  /** The effect of leaving the path out. */
  help: string
  isOpen: boolean
  onOpen(): void
  onClose(): void
}) {
  return (
    <YesNo
      label={label}
      help={isOpen ? undefined : help}
      value={isOpen}
      onChange={(opens) => (opens ? onOpen() : onClose())}
    />
  )
}

/** The switch for the path of a message that was not sent. */
export function NotSentExit({
  step,
  openExit,
  closeExit,
}: {
  step: { onNotSent: string | null }
  openExit(exit: string): void
  closeExit(exit: string): void
}) {
  const t = useWords(formWords)
  return (
    <OptionalExit
      label={t('way_not_sent')}
      help={t('way_not_sent_help')}
      isOpen={step.onNotSent !== null}
      onOpen={() => openExit('onNotSent')}
      onClose={() => closeExit('onNotSent')}
    />
  )
}

/** A field for a number that may be empty. */
export function MaybeNumber({
  at,
  label,
  value,
  onChange,
  min,
  max,
}: {
  at: string
  label: string
  value: number | null
  onChange(value: number | null): void
  min?: number
  max?: number
}) {
  const { errorAt, mayEdit } = useBuilderContext()
  return (
    <NumberInput
      id={idOf(at)}
      label={label}
      value={value ?? ''}
      {...(min !== undefined && { min })}
      {...(max !== undefined && { max })}
      error={errorAt(at)}
      readOnly={!mayEdit}
      onChange={(n) => onChange(typeof n === 'number' ? n : null)}
    />
  )
}

/** Returns the id of the step to which a field of the draft belongs; null for a field outside of steps. */
export function stepOf(at: string): string | null {
  return /^steps\.([A-Za-z0-9_-]+)/.exec(at)?.[1] ?? null
}

/** Returns the element id of a field of the draft, so that a problem can link to it. */
export function idOf(at: string): string {
  return `at-${at}`
}
