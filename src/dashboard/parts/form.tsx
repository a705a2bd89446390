import { Button } from '@mantine/core'
import { useEffect, useRef, type ReactNode } from 'react'
import {
  get,
  useForm,
  type DefaultValues,
  type Field,
  type FieldValues,
  type Path,
  type PathValue,
  type RegisterOptions,
  type UseFormRegisterReturn,
  type UseFormReturn,
} from 'react-hook-form'
import type { ApiError } from '../app/api.ts'
import { useWords } from '../words/use-words.tsx'
import { Icon } from './Icon.tsx'
import { isSame } from './is-same.ts'
import layout from './layout.module.css'
import styles from './parts.module.css'
import { toastSuccess } from './toasts.tsx'
import { useApiMutation } from './use-api-mutation.ts'
import { mergeThreeWay } from './three-way-merge.ts'
import { partsWords } from './words.ts'

/** A form whose values the API validates, as `useApiForm` creates it. */
export type ApiForm<Values extends FieldValues> = UseFormReturn<Values> & {
  isBusy: boolean
  submit(event?: React.BaseSyntheticEvent): void
  /** Returns the error of a field as a text: `errorOf('url')`. */
  errorOf(name: Path<Values>): string | undefined
  /** Returns the properties of a text field: `<TextInput label="URL" {...form.field('url')} />`. */
  field<Name extends Path<Values>>(
    name: Name,
    rules?: RegisterOptions<Values, Name>,
  ): UseFormRegisterReturn & { error: string | undefined }
  /** Returns the properties of a switch or a checkbox: `<Switch label="On" {...form.check('isOn')} />`. */
  check(name: Path<Values>): {
    checked: boolean
    error: string | undefined
    onChange(event: Change): void
  }
  /**
   * Returns the properties of a field whose change handler gets a value instead of an event: `<Select label="Kind"
   * {...form.pick('kind')} />`.
   */
  pick<Name extends Path<Values>>(
    name: Name,
    rules?: RegisterOptions<Values, Name>,
  ): Picked<PathValue<Values, Name>>
}

type Picked<Value> = {
  name: string
  value: Value
  error: string | undefined
  // A field may report more than the form's type allows, such as a number that is being typed; the API refuses it.
  // oxlint-disable-next-line typescript/no-explicit-any
  onChange(value: any): void
  ref(element: { focus?: unknown } | null): void
}

type Change = { currentTarget: { checked: boolean } }

/**
 * Creates the state of a form whose values the API validates, with its errors at their fields. An error appears at its
 * field, in the language of the interface, and the first field with an error gets the focus. Errors without a field
 * appear at the foot.
 */
export function useApiForm<Values extends FieldValues>({
  values,
  version,
  onSubmit,
  done,
  onDone,
}: {
  values: DefaultValues<Values>
  /**
   * The version of the shown values. When it changes, the values of other members are merged into the form, and typed
   * ones stay.
   */
  version?: string | number
  /**
   * Submits the form. Returns false if nothing was stored yet, such as when a confirmation follows. @throws ApiError
   */
  onSubmit(values: Values): Promise<unknown>
  /** The text of the success message. */
  done?: string
  /** Closes the dialog of the form after a save. */
  onDone?(): void
}): ApiForm<Values> {
  const form = useForm<Values>({ defaultValues: values })
  const { isBusy, run } = useApiMutation()
  const { errors: shown } = form.formState
  const { clearErrors, getValues, reset } = form
  /** The base of the three-way merge: the values as they were shown, or as this form last stored them. */
  const untouched = useRef({ values: values as Values, version })
  useEffect(() => {
    // Until the save has ended, it is unknown whether the sent values are the stored ones.
    if (isBusy || version === untouched.current.version) return
    const typed = getValues()
    const merged = mergeThreeWay(typed, untouched.current.values, values as Values)
    // Errors stay readable, except at fields whose value another member has changed meanwhile.
    reset(merged, { keepFieldsRef: true, keepErrors: true, keepIsSubmitted: true })
    const names = Object.keys(typed) as Path<Values>[]
    clearErrors(names.filter((name) => !isSame(typed[name], merged[name])))
    untouched.current = { values: values as Values, version }
  })
  const showAtFields = (refusal: ApiError, sent: Values): boolean => {
    // The API writes an item of a list `headers[0].name`; the form writes `headers.0.name`.
    const errors = refusal.errors.map(({ field, message }) => ({
      field: field.replaceAll(/\[(\d+)\]/g, '.$1'),
      message,
    }))
    const known = errors.filter(({ field }) => Object.hasOwn(sent, field.split('.', 1)[0]!))
    known.forEach(({ field, message }, at) =>
      form.setError(field as Path<Values>, { type: 'api', message }, { shouldFocus: at === 0 }),
    )
    const rest = errors.filter((error) => !known.includes(error))
    const detail = rest[0]?.message ?? (known.length === 0 ? refusal.detail : '')
    if (detail !== '') form.setError('root', { type: 'api', message: detail })
    return known.length > 0 || detail !== ''
  }
  const errorOf = (name: Path<Values>): string | undefined => {
    let found: unknown = shown
    for (const piece of name.split('.'))
      found = (found as Record<string, unknown> | undefined)?.[piece]
    const message = (found as { message?: unknown } | undefined)?.message
    return typeof message === 'string' && message !== '' ? message : undefined
  }
  const save = async (sent: Values) => {
    if ((await onSubmit(sent)) === false) return
    // The form has no unsaved input after a save. The next version, which may be read only later, replaces the values
    // by the stored ones, and no secret stays in the form.
    untouched.current.values = sent
    if (done !== undefined) toastSuccess(done)
    onDone?.()
  }
  return {
    ...form,
    isBusy,
    submit: (event) => {
      // A form in a dialog can be a descendant of another form in React's tree, which would get the event too.
      event?.stopPropagation()
      // Errors of the previous try do not apply to this one. An error at a field that is not registered would stay, and
      // would keep the form from ever being sent again.
      form.clearErrors()
      void form.handleSubmit((sent) =>
        run(() => save(sent), { onRefused: (refusal) => showAtFields(refusal, sent) }),
      )(event)
    },
    errorOf,
    field: (name, rules) => ({ ...form.register(name, rules), error: errorOf(name) }),
    check: (name) => ({
      checked: form.watch(name) === true,
      error: errorOf(name),
      onChange: ({ currentTarget: { checked } }) =>
        form.setValue(name, checked as PathValue<Values, typeof name>),
    }),
    pick: (name, rules) => {
      const { onChange } = form.register(name, rules)
      return {
        name,
        value: form.watch(name),
        error: errorOf(name),
        onChange: (value) => void onChange({ target: { name, value }, type: 'change' }),
        ref: (element) => {
          /* oxlint-disable no-underscore-dangle -- `useController` of the library sets the same */
          const field: Field | undefined = get(form.control._fields, name)
          const ref = { focus: () => focus(element) }
          if (field && element) Object.assign(field._f, { ref, _c: true })
          /* oxlint-enable no-underscore-dangle */
        },
      }
    },
  }
}

function focus(element: { focus?: unknown } | null): void {
  if (typeof element?.focus === 'function') element.focus()
}

/** A form with its fields and its foot. */
export function Form<Values extends FieldValues>({
  form,
  act,
  foot,
  className = layout.form,
  children,
}: {
  form: ApiForm<Values>
  /** The label of the button that submits the form; "Save" by default. */
  act?: ReactNode
  /** Content of the foot after that button. */
  foot?: ReactNode
  className?: string | undefined
  children: ReactNode
}) {
  return (
    <form onSubmit={form.submit} noValidate className={className}>
      {children}
      <FormFoot form={form} act={act}>
        {foot}
      </FormFoot>
    </form>
  )
}

/** Counts the errors of a form, nested ones included. */
function countErrors(errors: object): number {
  if ('type' in errors && typeof errors.type === 'string') return 1
  const inside = Object.values(errors).filter((one): one is object => one instanceof Object)
  return inside.reduce((sum, one) => sum + countErrors(one), 0)
}

/** The foot of a form: its button, the error of the whole form, and the number of fields to fix. */
export function FormFoot<Values extends FieldValues>({
  form,
  act,
  children,
}: {
  form: ApiForm<Values>
  act?: ReactNode
  children?: ReactNode
}) {
  const t = useWords(partsWords)
  const { errors } = form.formState
  const { root, ...atFields } = errors
  const count = countErrors(atFields)
  return (
    <>
      {root?.message !== undefined && (
        <div className={styles.problem} role="alert">
          <Icon name="warning" />
          <span>{root.message}</span>
        </div>
      )}
      <div className={styles.formFoot}>
        <Button type="submit" variant="filled" loading={form.isBusy}>
          {act ?? t('save')}
        </Button>
        {children}
        {count > 0 && <span>{t('things_to_fix', { n: count })}</span>}
      </div>
    </>
  )
}
