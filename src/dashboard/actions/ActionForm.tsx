import { Checkbox, Select, Switch, Textarea, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ActionView, CreateAction } from '../../contract/dashboard/action.ts'
import { ACTION_LIMITS, CALL_LIMITS } from '../../core/limits/calls.ts'
import { METHODS_WITH_BODY } from '../../rules/calls/fill-request.ts'
import { CALL_METHODS } from '../../core/vocabulary/calls.ts'
import { LANGUAGES } from '../../core/vocabulary/hooks.ts'
import { CLAIM_KINDS } from '../../core/vocabulary/statements/kinds.ts'
import { useApi } from '../app/resources.ts'
import { connectionsQuery } from '../connections/queries.ts'
import { Ltr } from '../parts/Code.tsx'
import { FormFoot, useApiForm, type ApiForm } from '../parts/form.tsx'
import { NameValueRows } from '../parts/NameValueRows.tsx'
import { Banner, Panel } from '../parts/Page.tsx'
import { Rich, useWords } from '../words/use-words.tsx'
import { AboutCustomer } from './AboutCustomer.tsx'
import { doesOf, inputOf, valuesOf, type ActionValues } from './action-values.ts'
import layout from '../parts/layout.module.css'
import styles from './actions.module.css'
import { Parameters } from './Parameters.tsx'
import { Placeholders } from './Placeholders.tsx'
import { SeenFields } from './SeenFields.tsx'
import { actionsWords } from './words.ts'

/** The form of a new or existing AI action. */
export function ActionForm({
  action,
  answer,
  act,
  onSubmit,
}: {
  /** Null for a new action. */
  action: ActionView | null
  /** The response of the last test, to pick fields from. */
  answer: string | null
  act?: string
  /** @throws ApiError */
  onSubmit(input: CreateAction): Promise<unknown>
}) {
  const t = useWords(actionsWords)
  const connections = useQuery(connectionsQuery(useApi())).data?.items ?? []
  const form = useApiForm<ActionValues>({
    values: valuesOf(action),
    ...(action && { version: action.updatedAt }),
    onSubmit: (values) => onSubmit(inputOf(values)),
  })
  return (
    <form className={styles.form} noValidate onSubmit={form.submit}>
      <Panel title={t('what')}>
        <WhatFields form={form} />
      </Panel>
      <Panel title={t('request')}>
        <RequestFields
          form={form}
          connections={connections.map(({ id, name }) => ({ value: id, label: name }))}
        />
      </Panel>
      <Panel title={t('parameters')}>
        <Parameters form={form} />
      </Panel>
      <Panel title={t('about')}>
        <AboutCustomer form={form} />
      </Panel>
      <Panel title={t('sees')}>
        <SeenFields form={form} answer={answer} />
      </Panel>
      <Panel title={t('behaviour')}>
        <div className={styles.fields}>
          <BehaviourFields form={form} isNew={action === null} />
          <FormFoot form={form} act={act} />
        </div>
      </Panel>
    </form>
  )
}

/** Fields for the action's name, its description and its effect. */
function WhatFields({ form }: { form: ApiForm<ActionValues> }) {
  const t = useWords(actionsWords)
  const description = form.watch('description')
  const toolName = form.watch('toolName')
  return (
    <div className={styles.fields}>
      <TextInput
        dir="ltr"
        label={t('tool')}
        maxLength={ACTION_LIMITS.toolNameChars}
        description={
          <Rich
            words={actionsWords}
            say="tool_help"
            with={{ name: <Ltr>action_{toolName === '' ? '…' : toolName}</Ltr> }}
          />
        }
        {...form.field('toolName')}
      />
      <Textarea
        label={t('description')}
        autosize
        minRows={2}
        maxRows={8}
        description={
          <>
            {t('description_help')}{' '}
            {t('chars', {
              n: Array.from(description).length,
              limit: ACTION_LIMITS.descriptionChars,
            })}
          </>
        }
        {...form.field('description')}
      />
      <Checkbox.Group
        label={t('does')}
        description={t('does_help')}
        value={doesOf(form.watch())}
        error={form.errorOf('does')}
        onChange={(kinds) =>
          form.setValue(
            'does',
            CLAIM_KINDS.filter((kind) => kinds.includes(kind)),
          )
        }
      >
        <div className={styles.choices}>
          {CLAIM_KINDS.map((kind) => (
            <Checkbox key={kind} value={kind} label={t(`does_${kind}`)} />
          ))}
        </div>
      </Checkbox.Group>
    </div>
  )
}

function BehaviourFields({ form, isNew }: { form: ApiForm<ActionValues>; isNew: boolean }) {
  const t = useWords(actionsWords)
  const isConfirmed = form.watch('needsConfirmation')
  return (
    <>
      <Switch
        label={t('needs_confirmation')}
        description={t('needs_confirmation_help')}
        {...form.check('needsConfirmation')}
      />
      {!isConfirmed && form.watch('request.method') !== 'GET' && (
        <Banner tone="warn" title={t('unconfirmed')} />
      )}
      {isConfirmed && <StatementFields form={form} />}
      {isNew && <Switch label={t('is_on')} {...form.check('isOn')} />}
    </>
  )
}

/** Fields for the confirmation text that customers see before they agree, in each language. */
function StatementFields({ form }: { form: ApiForm<ActionValues> }) {
  const t = useWords(actionsWords)
  return (
    <>
      <p className={layout.help}>
        <Placeholders say="statement_help" />
      </p>
      {LANGUAGES.map((language) => (
        <Textarea
          key={language}
          dir={language === 'ar' ? 'rtl' : 'ltr'}
          lang={language}
          label={t(`statement_${language}`)}
          autosize
          minRows={1}
          maxRows={6}
          {...form.field(`statement.${language}`)}
        />
      ))}
    </>
  )
}

function RequestFields({
  form,
  connections,
}: {
  form: ApiForm<ActionValues>
  connections: { value: string; label: string }[]
}) {
  const t = useWords(actionsWords)
  const { connectionId, method, query, headers } = form.watch('request')
  const wrongIn = (list: 'query' | 'headers') => (index: number, part: 'name' | 'value') =>
    form.errorOf(`request.${list}.${index}.${part}`)
  return (
    <div className={styles.fields}>
      <div className={styles.pair}>
        <Select
          label={t('connection')}
          data={connections}
          value={connectionId === '' ? null : connectionId}
          error={form.errorOf('request.connectionId')}
          onChange={(value) => form.setValue('request.connectionId', value ?? '')}
        />
        <Select
          label={t('method')}
          data={[...CALL_METHODS]}
          allowDeselect={false}
          {...form.pick('request.method')}
        />
      </div>
      <TextInput
        dir="ltr"
        label={t('path')}
        description={<Placeholders say="path_help" />}
        {...form.field('request.path')}
      />
      <NameValueRows
        label={t('query')}
        nameLabel={t('query_name')}
        valueLabel={t('value')}
        addLabel={t('add_query')}
        rows={query}
        max={CALL_LIMITS.queryParameters}
        onChange={(rows) => form.setValue('request.query', rows)}
        errorAt={wrongIn('query')}
      />
      <NameValueRows
        label={t('headers')}
        nameLabel={t('header_name')}
        valueLabel={t('value')}
        addLabel={t('add_header')}
        rows={headers}
        max={CALL_LIMITS.headers}
        onChange={(rows) => form.setValue('request.headers', rows)}
        errorAt={wrongIn('headers')}
      />
      {METHODS_WITH_BODY.has(method) && (
        <Textarea
          dir="ltr"
          label={t('body')}
          description={t('body_help')}
          autosize
          minRows={3}
          maxRows={16}
          classNames={{ input: layout.mono! }}
          {...form.field('request.body')}
        />
      )}
    </div>
  )
}
