import { Checkbox } from '@mantine/core'
import { ACTION_LIMITS } from '../../core/limits/calls.ts'
import { Ltr } from '../parts/Code.tsx'
import type { ApiForm } from '../parts/form.tsx'
import { Icon } from '../parts/Icon.tsx'
import { NameValueRows } from '../parts/NameValueRows.tsx'
import { useFormat } from '../words/format.ts'
import { useWords } from '../words/use-words.tsx'
import { useUnverifiedChannels } from './AboutCustomer.tsx'
import { offeredOnOf, type ActionValues } from './action-values.ts'
import layout from '../parts/layout.module.css'
import styles from './actions.module.css'
import { actionsWords } from './words.ts'
import { valueText } from '../../rules/hooks/path-expression.ts'
import { isContainer, readJson, type JsonValue } from '../../rules/text/json-text.ts'

/** The fields of the response that the assistant sees, each with a label; they can be picked from a test's response. */
export function SeenFields({
  form,
  answer,
}: {
  form: ApiForm<ActionValues>
  answer: string | null
}) {
  const t = useWords(actionsWords)
  const channels = useUnverifiedChannels()
  const shown = form.watch('shown')
  const leaves = leavesOf(answer).filter(({ path }) => shown.every((field) => field.path !== path))
  const isOpen = form.watch('identity') === 'none' && offeredOnOf(form.watch()) === 'all'
  const isFull = shown.length >= ACTION_LIMITS.shownFields
  return (
    <div className={styles.fields}>
      <p className={layout.help}>{t('sees_help')}</p>
      {shown.length === 0 && <p className={layout.help}>{t('hidden_unpicked', { channels })}</p>}
      <NameValueRows
        label={t('sees')}
        nameLabel={t('field_label')}
        valueLabel={t('field_path')}
        addLabel={t('add_field')}
        rows={shown.map(({ label, path }) => ({ name: label, value: path }))}
        max={ACTION_LIMITS.shownFields}
        onChange={(rows) =>
          form.setValue(
            'shown',
            rows.map(({ name, value }) => ({
              label: name,
              path: value,
              // Another path is another value, so it has to be marked as public again.
              isPublic: shown.some(({ path, isPublic }) => path === value && isPublic === true),
            })),
          )
        }
        errorAt={(index, part) =>
          form.errorOf(`shown.${index}.${part === 'name' ? 'label' : 'path'}`)
        }
      />
      {isOpen && shown.length > 0 && <PublicFields form={form} />}
      <div>
        <div className={styles.small}>{t('pick')}</div>
        {leaves.length === 0 && <p className={layout.help}>{t('pick_none')}</p>}
        <ul className={styles.leaves}>
          {leaves.map(({ path, label, value }) => (
            <li key={path}>
              <button
                type="button"
                className={styles.leaf}
                disabled={isFull}
                aria-label={t('pick_value', { path })}
                onClick={() => form.setValue('shown', [...shown, { label, path }])}
              >
                <Icon name="plus" size={13} />
                <Ltr>{path}</Ltr>
                <bdi className={styles.leafValue}>{value}</bdi>
              </button>
            </li>
          ))}
        </ul>
      </div>
    </div>
  )
}

/** The picked fields with phone numbers, addresses or names that anyone who asks may see. */
function PublicFields({ form }: { form: ApiForm<ActionValues> }) {
  const t = useWords(actionsWords)
  const { list } = useFormat()
  const channels = useUnverifiedChannels()
  const shown = form.watch('shown')
  const names = form.watch('parameters').map(({ name }) => name)
  const label =
    names.length === 0 ? t('public_fields') : t('public_fields_by', { parameters: list(names) })
  return (
    <Checkbox.Group
      label={label}
      description={t('public_fields_help', { channels })}
      value={shown.flatMap(({ isPublic }, at) => (isPublic ? [String(at)] : []))}
      onChange={(places) =>
        form.setValue(
          'shown',
          shown.map((field, at) => ({ ...field, isPublic: places.includes(String(at)) })),
        )
      }
    >
      <div className={styles.choices}>
        {shown.map((field, at) => (
          <Checkbox key={at} value={String(at)} label={field.label || field.path} />
        ))}
      </div>
    </Checkbox.Group>
  )
}

type Leaf = { path: string; label: string; value: string }

const MAX_LEAVES = 40

/** Returns the values of a JSON response with their paths, in order. Names that no path can contain are left out. */
function leavesOf(answer: string | null): Leaf[] {
  if (answer === null) return []
  const json = readJson(answer)
  if (!json.ok) return []
  const leaves: Leaf[] = []
  const walk = (value: JsonValue, path: string, label: string): void => {
    if (leaves.length >= MAX_LEAVES) return
    if (!isContainer(value)) {
      if (path !== '')
        leaves.push({ path, label, value: value === null ? 'null' : valueText(value) })
      return
    }
    if (Array.isArray(value)) {
      value.forEach((item, at) => walk(item, `${path}[${at}]`, label))
      return
    }
    for (const [name, item] of Object.entries(value)) {
      if (name === '' || /[.[\]\s]/.test(name)) continue
      walk(item, path === '' ? name : `${path}.${name}`, name)
    }
  }
  walk(json.value, '', '')
  return leaves
}
