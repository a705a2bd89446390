import { Button, Checkbox, Select, Textarea, TextInput } from '@mantine/core'
import { ACTION_LIMITS } from '../../core/limits/calls.ts'
import { asksForCustomer, seemsToAskForCustomer } from '../../rules/calls/names-customer.ts'
import type { ApiForm } from '../parts/form.tsx'
import { Icon } from '../parts/Icon.tsx'
import { partsWords } from '../parts/words.ts'
import { useWords } from '../words/use-words.tsx'
import type { ActionValues, ParameterValues } from './action-values.ts'
import layout from '../parts/layout.module.css'
import styles from './actions.module.css'
import { actionsWords } from './words.ts'

const TYPES = ['string', 'number', 'yes_no', 'one_of'] as const
const NEW: ParameterValues = {
  name: '',
  type: 'string',
  description: '',
  isRequired: true,
  choices: '',
}

/** The part of the form that lists the parameters which the assistant fills in when it calls an action. */
export function Parameters({ form }: { form: ApiForm<ActionValues> }) {
  const t = useWords(actionsWords)
  const parts = useWords(partsWords)
  const parameters = form.watch('parameters')
  const set = (next: ParameterValues[]) => form.setValue('parameters', next)
  return (
    <div className={styles.fields}>
      <p className={layout.help}>{t('parameters_help')}</p>
      {parameters.map((parameter, index) => (
        <Parameter
          key={index}
          form={form}
          index={index}
          parameter={parameter}
          onChange={(change) =>
            set(parameters.map((one, at) => (at === index ? { ...one, ...change } : one)))
          }
          onRemove={() => set(parameters.filter((_, at) => at !== index))}
        />
      ))}
      <div className={styles.line}>
        <Button
          size="compact-md"
          leftSection={<Icon name="plus" size={14} />}
          disabled={parameters.length >= ACTION_LIMITS.parameters}
          onClick={() => set([...parameters, NEW])}
        >
          {t('add_parameter')}
        </Button>
        <span className={layout.help}>
          {parts('of', { n: parameters.length, limit: ACTION_LIMITS.parameters })}
        </span>
      </div>
    </div>
  )
}

function Parameter({
  form,
  index,
  parameter,
  onChange,
  onRemove,
}: {
  form: ApiForm<ActionValues>
  index: number
  parameter: ParameterValues
  onChange(change: Partial<ParameterValues>): void
  onRemove(): void
}) {
  const t = useWords(actionsWords)
  const { name, type, description, isRequired, choices } = parameter
  const isWarned = !asksForCustomer(name) && seemsToAskForCustomer(name, description)
  const wrong = (part: string) => form.errorOf(`parameters.${index}.${part}` as 'parameters')
  return (
    <fieldset className={styles.parameter}>
      <legend className="visually-hidden">{t('parameter_n', { n: index + 1 })}</legend>
      <div className={styles.pair}>
        <TextInput
          dir="ltr"
          label={t('parameter_name')}
          maxLength={ACTION_LIMITS.parameterNameChars}
          value={name}
          description={isWarned ? t('speaks_of_customer') : undefined}
          error={wrong('name') ?? (asksForCustomer(name) ? t('names_customer') : undefined)}
          onChange={(event) => onChange({ name: event.currentTarget.value })}
        />
        <Select
          label={t('parameter_type')}
          allowDeselect={false}
          value={type}
          data={TYPES.map((value) => ({ value, label: t(value) }))}
          onChange={(value) => {
            if (value !== null) onChange({ type: value })
          }}
        />
      </div>
      <TextInput
        label={t('parameter_description')}
        maxLength={ACTION_LIMITS.parameterDescriptionChars}
        value={description}
        error={wrong('description')}
        onChange={(event) => onChange({ description: event.currentTarget.value })}
      />
      {type === 'one_of' && (
        <Textarea
          label={t('choices')}
          autosize
          minRows={2}
          value={choices}
          error={wrong('values')}
          onChange={(event) => onChange({ choices: event.currentTarget.value })}
        />
      )}
      <div className={styles.line}>
        <Checkbox
          label={t('required')}
          checked={isRequired}
          onChange={(event) => onChange({ isRequired: event.currentTarget.checked })}
        />
        <Button
          size="compact-md"
          variant="subtle"
          color="gray"
          aria-label={`${t('remove')}: ${t('parameter_n', { n: index + 1 })}`}
          onClick={onRemove}
        >
          {t('remove')}
        </Button>
      </div>
    </fieldset>
  )
}
