import { Button, Select } from '@mantine/core'
import type { ReactNode } from 'react'
import { PageLink } from '../../parts/PageLink.tsx'
import { CALL_LIMITS } from '../../../core/limits/calls.ts'
import { CALL_METHODS, type CallMethod } from '../../../core/vocabulary/calls.ts'
import { HTTP_STATUS_VARIABLE } from '../../../core/vocabulary/flows.ts'
import { Icon } from '../../parts/Icon.tsx'
import { IconButton } from '../../parts/IconButton.tsx'
import { useWords } from '../../words/use-words.tsx'
import { useBuilderContext } from '../builder-context.ts'
import { CallTest } from './CallTest.tsx'
import type { StepOf } from '../draft.ts'
import styles from '../flows.module.css'
import stepsStyles from './steps.module.css'
import { formWords } from '../words-forms.ts'
import { FilledText, Line, OneOf } from './fields.tsx'
import { mainNext, type FormProps, type StepKindDesign } from './step-kind.ts'

type HttpRequest = StepOf<'http_request'>
type Request = HttpRequest['request']

export const HTTP_REQUEST: StepKindDesign<HttpRequest> = {
  icon: 'plug',
  group: 'system',
  make: ({ connections }) => ({
    kind: 'http_request',
    request: {
      connectionId: connections[0]?.id ?? '',
      method: 'GET',
      path: '/',
      query: [],
      headers: [],
      body: null,
    },
    keep: [],
    next: null,
    onFailure: null,
  }),
  exits: ({ next, onFailure }) => [
    { exit: 'next', to: next, label: (say) => say('exit_success'), tone: 'ok' },
    { exit: 'onFailure', to: onFailure, label: (say) => say('exit_failed'), tone: 'bad' },
  ],
  main: mainNext,
  sets: ({ keep }) => [HTTP_STATUS_VARIABLE, ...keep.map(({ name }) => name)],
  summary: ({ request }, say, { connections }) => ({
    title: `${request.method} ${request.path}`,
    isCode: true,
    detail: connections.find(({ id }) => id === request.connectionId)?.name ?? say('no_connection'),
  }),
  Form,
}

const METHODS_WITH_BODY: readonly CallMethod[] = ['POST', 'PUT', 'PATCH', 'DELETE']

function Form({ id, step, set }: FormProps<HttpRequest>) {
  const t = useWords(formWords)
  const { connections, mayEdit } = useBuilderContext()
  const { request, keep } = step
  const at = `steps.${id}.request`
  const change = (part: Partial<Request>) => set({ request: { ...request, ...part } })
  return (
    <>
      <OneOf
        at={`${at}.connectionId`}
        label={t('connection')}
        help={
          connections.length === 0 ? (
            <PageLink to="connections">{t('no_connections')}</PageLink>
          ) : undefined
        }
        value={request.connectionId}
        options={connections.map(({ id: value, name, baseUrl, isOn }) => ({
          value,
          label: isOn ? `${name} · ${hostOf(baseUrl)}` : t('connection_is_off', { name }),
        }))}
        onChange={(connectionId) => change({ connectionId })}
      />
      <div className={stepsStyles.request}>
        <Select
          label={t('method')}
          dir="ltr"
          data={[...CALL_METHODS]}
          value={request.method}
          readOnly={!mayEdit}
          allowDeselect={false}
          onChange={(method) => change({ method: method as CallMethod })}
        />
        <FilledText
          at={`${at}.path`}
          label={t('path')}
          isLine
          isCode
          takesContact={false}
          value={request.path}
          onChange={(path) => change({ path })}
        />
      </div>
      <Pairs
        at={`${at}.query`}
        title={t('query')}
        max={CALL_LIMITS.queryParameters}
        pairs={request.query}
        onChange={(query) => change({ query })}
      />
      <Pairs
        at={`${at}.headers`}
        title={t('headers')}
        max={CALL_LIMITS.headers}
        pairs={request.headers}
        onChange={(headers) => change({ headers })}
      />
      {METHODS_WITH_BODY.includes(request.method) && (
        <FilledText
          at={`${at}.body`}
          label={t('body')}
          help={t('body_help')}
          isCode
          takesContact={false}
          value={request.body ?? ''}
          onChange={(body) => change({ body: body || null })}
        />
      )}
      <Keep id={id} keep={keep} onChange={(kept) => set({ keep: kept })} />
      <CallTest key={id} stepId={id} step={step} />
    </>
  )
}

function hostOf(url: string): string {
  return URL.parse(url)?.host ?? url
}

/** A list of names and values with buttons to add and remove rows; the number and the maximum are next to the title. */
function Rows({
  title,
  count,
  max,
  add,
  onAdd,
  children,
}: {
  title: string
  count: number
  max: number
  add: string
  onAdd(): void
  children: ReactNode
}) {
  const t = useWords(formWords)
  const { mayEdit } = useBuilderContext()
  return (
    <fieldset className={stepsStyles.rows}>
      <legend>
        {title} <span className={styles.help}>{t('of', { n: count, most: max })}</span>
      </legend>
      {children}
      {mayEdit && count < max && (
        <Button size="xs" leftSection={<Icon name="plus" />} onClick={onAdd}>
          {add}
        </Button>
      )}
    </fieldset>
  )
}

function Pairs({
  at,
  title,
  max,
  pairs,
  onChange,
}: {
  at: string
  title: string
  max: number
  pairs: Request['query']
  onChange(pairs: Request['query']): void
}) {
  const t = useWords(formWords)
  const { mayEdit } = useBuilderContext()
  const change = (place: number, part: Partial<Request['query'][number]>) =>
    onChange(pairs.map((one, index) => (index === place ? { ...one, ...part } : one)))
  return (
    <Rows
      title={title}
      count={pairs.length}
      max={max}
      add={t('add')}
      onAdd={() => onChange([...pairs, { name: '', value: '' }])}
    >
      {pairs.map(({ name, value }, place) => (
        <div key={place} className={stepsStyles.pairRow}>
          <Line
            at={`${at}[${place}].name`}
            label={t('name')}
            isCode
            value={name}
            onChange={(text) => change(place, { name: text })}
          />
          <FilledText
            at={`${at}[${place}].value`}
            label={t('value')}
            isLine
            isCode
            takesContact={false}
            value={value}
            onChange={(text) => change(place, { value: text })}
          />
          {mayEdit && (
            <IconButton
              icon="close"
              label={t('remove_named', { name })}
              variant="default"
              onClick={() => onChange(pairs.filter((_, index) => index !== place))}
            />
          )}
        </div>
      ))}
    </Rows>
  )
}

/** The values of the response that become variables. */
function Keep({
  id,
  keep,
  onChange,
}: {
  id: string
  keep: HttpRequest['keep']
  onChange(keep: HttpRequest['keep']): void
}) {
  const t = useWords(formWords)
  const { mayEdit } = useBuilderContext()
  const change = (place: number, part: Partial<HttpRequest['keep'][number]>) =>
    onChange(keep.map((one, index) => (index === place ? { ...one, ...part } : one)))
  return (
    <Rows
      title={t('values_to_keep')}
      count={keep.length}
      max={CALL_LIMITS.keptValues}
      add={t('keep_another')}
      onAdd={() => onChange([...keep, { name: `value_${keep.length + 1}`, path: 'data' }])}
    >
      {keep.map(({ name, path }, place) => (
        <div key={place} className={stepsStyles.pairRow}>
          <Line
            at={`steps.${id}.keep[${place}].path`}
            label={t('json_path')}
            isCode
            value={path}
            onChange={(text) => change(place, { path: text })}
          />
          <Line
            at={`steps.${id}.keep[${place}].name`}
            label={t('variable')}
            isCode
            value={name}
            onChange={(text) => change(place, { name: text })}
          />
          {mayEdit && (
            <IconButton
              icon="close"
              label={t('remove_named', { name })}
              variant="default"
              onClick={() => onChange(keep.filter((_, index) => index !== place))}
            />
          )}
        </div>
      ))}
    </Rows>
  )
}
