import { Select, TextInput } from '@mantine/core'
import type { ActionView, TestedAction } from '../../contract/dashboard/action.ts'
import { NOTHING_FOUND } from '../../rules/calls/action-answer.ts'
import { fillRequest } from '../../rules/calls/fill-request.ts'
import { useApi } from '../app/resources.ts'
import { CallResult } from '../connections/CallResult.tsx'
import { CodeBlock } from '../parts/Code.tsx'
import type { ChosenCountry } from '../parts/chosen-country.ts'
import { type ApiForm, Form, useApiForm } from '../parts/form.tsx'
import { PhoneField } from '../parts/PhoneField.tsx'
import { Pill } from '../parts/Pill.tsx'
import { useChosenCountry } from '../parts/use-chosen-country.ts'
import { useWords } from '../words/use-words.tsx'
import { AnybodyAsks, identityWord } from './AboutCustomer.tsx'
import layout from '../parts/layout.module.css'
import styles from './actions.module.css'
import { actionsWords } from './words.ts'

type Values = { args: Record<string, string>; identity: string; country: ChosenCountry }

/**
 * A real call with values for the parameters and a pretend customer: the request, the response, and the text for the
 * assistant.
 */
export function ActionConsole({
  action,
  tested,
  onTested,
}: {
  action: ActionView
  tested: TestedAction | null
  onTested(tested: TestedAction): void
}) {
  const t = useWords(actionsWords)
  const api = useApi()
  const countryOf = useChosenCountry()
  const isAbout = action.identity !== 'none'
  const form = useApiForm<Values>({
    values: {
      args: Object.fromEntries(action.parameters.map(({ name }) => [name, ''])),
      identity: '',
      country: 'company',
    },
    onSubmit: async ({ args, identity, country }) => {
      const given = Object.entries(args).filter(([, text]) => text !== '')
      onTested(
        await api.call(
          'post',
          'actions/:actionId/test',
          { actionId: action.id },
          {
            args: Object.fromEntries(given),
            ...(isAbout && { identity, country: countryOf(country) }),
          },
        ),
      )
    },
  })
  const { args, identity } = form.watch()
  const label = t('customer', { kind: t(identityWord(action.identity)) })
  return (
    <div className={styles.fields}>
      <p className={layout.help}>{t('test_lead')}</p>
      <AnybodyAsks {...action} />
      <Form form={form} act={t('run_test')} className={styles.fields}>
        {action.parameters.map((parameter) => (
          <Argument key={parameter.name} form={form} parameter={parameter} />
        ))}
        {action.identity === 'phone' && (
          <PhoneField form={form} name="identity" label={label} isNeeded />
        )}
        {isAbout && action.identity !== 'phone' && (
          <TextInput dir="ltr" label={label} {...form.field('identity')} />
        )}
        <Preview action={action} args={args} identity={identity} />
      </Form>
      {tested && <Result action={action} tested={tested} />}
    </div>
  )
}

/** A field for the value of a parameter, by its type. */
function Argument({
  form,
  parameter,
}: {
  form: ApiForm<Values>
  parameter: ActionView['parameters'][number]
}) {
  const t = useWords(actionsWords)
  const { name, type, description, isRequired } = parameter
  const field = {
    label: isRequired ? name : `${name} (${t('optional')})`,
    description,
    error: form.errorOf(`args.${name}`),
  }
  if (type === 'string' || type === 'number') {
    return (
      <TextInput
        {...field}
        inputMode={type === 'number' ? 'decimal' : 'text'}
        {...form.register(`args.${name}`)}
      />
    )
  }
  return (
    <Select
      {...field}
      clearable
      value={form.watch(`args.${name}`) || null}
      data={
        type === 'one_of'
          ? parameter.values
          : [
              { value: 'true', label: t('yes') },
              { value: 'false', label: t('no') },
            ]
      }
      onChange={(value) => form.setValue(`args.${name}`, value ?? '')}
    />
  )
}

/** The request with these values, without the credential. */
function Preview({
  action,
  args,
  identity,
}: { action: ActionView } & Pick<Values, 'args' | 'identity'>) {
  const t = useWords(actionsWords)
  const filled = fillRequest(action.request, { args, identity })
  if (!filled.ok) return <p className={layout.help}>{t('cannot_send')}</p>
  const { path, query, headers, body } = filled.value
  const asked = query.map(([name, value]) => `${name}=${value}`).join('&')
  const lines = [
    `${action.request.method} ${path}${asked === '' ? '' : `?${asked}`}`,
    ...headers.map(([name, value]) => `${name}: ${value}`),
    ...(body === null ? [] : ['', body]),
  ]
  return (
    <div>
      <div className={styles.small}>{t('will_send')}</div>
      <CodeBlock code={lines.join('\n')} label={t('will_send')} />
    </div>
  )
}

function Result({ action, tested }: { action: ActionView; tested: TestedAction }) {
  const t = useWords(actionsWords)
  const isWrong = tested.resultText === NOTHING_FOUND
  return (
    <div className={styles.fields}>
      {action.ownershipPath !== null && tested.outcome === 'success' && (
        <div>
          <Pill tone={isWrong ? 'bad' : 'ok'}>{t(isWrong ? 'owner_wrong' : 'owner_ok')}</Pill>
        </div>
      )}
      <div role="status">
        <div className={styles.small}>{t('told')}</div>
        <pre className={styles.told} tabIndex={0}>
          {tested.resultText}
        </pre>
      </div>
      {tested.outcome === 'refused' ? (
        <Pill tone="warn">{t('not_sent')}</Pill>
      ) : (
        <CallResult
          tested={tested}
          sent={null}
          answer={tested.answerText}
          answerChars={tested.answerChars}
        />
      )}
    </div>
  )
}
