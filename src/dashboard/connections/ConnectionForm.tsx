import { Button, NumberInput, PasswordInput, Select, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { ConnectionView, CreateConnection } from '../../contract/dashboard/connection.ts'
import { CALL_LIMITS } from '../../core/limits/calls.ts'
import { SECOND_MS } from '../../core/limits/units.ts'
import { namesSecret } from '../../rules/calls/call-headers.ts'
import { countCodePoints } from '../../rules/text/json-text.ts'
import { CONNECTION_AUTH_KINDS, type ConnectionAuthKind } from '../../core/vocabulary/calls.ts'
import { type ApiForm, Form, useApiForm } from '../parts/form.tsx'
import { NameValueRows } from '../parts/NameValueRows.tsx'
import { useWords } from '../words/use-words.tsx'
import { authWord, Credential } from './Credential.tsx'
import layout from '../parts/layout.module.css'
import styles from './connections.module.css'
import { connectionsWords } from './words.ts'

type Auth = CreateConnection['auth']

type Values = {
  name: string
  baseUrl: string
  auth: {
    kind: ConnectionAuthKind
    token: string
    username: string
    password: string
    name: string
    key: string
  }
  headers: { name: string; value: string }[]
  timeoutSeconds: number
}

/** The API's input for a connection; without `auth` the stored credential stays. */
export type ConnectionInput = Omit<Values, 'auth'> & { auth?: Auth }

const SECONDS = {
  least: CALL_LIMITS.timeoutMinMs / SECOND_MS,
  most: CALL_LIMITS.timeoutMaxMs / SECOND_MS,
  usual: CALL_LIMITS.timeoutDefaultMs / SECOND_MS,
}

function authOf(auth: Values['auth']): Auth {
  const { kind, token, username, password, name, key } = auth
  switch (kind) {
    case 'none':
      return { kind }
    case 'bearer':
      return { kind, token }
    case 'basic':
      return { kind, username, password }
    case 'header':
    case 'query':
      return { kind, name, key }
  }
}

/** Returns the secret part of the typed credential. For a username without a password, it is the username. */
function secretOf({ kind, token, username, password, key }: Values['auth']): string {
  if (kind === 'bearer') return token
  if (kind === 'basic') return password === '' ? username : password
  return kind === 'none' ? '' : key
}

type Change = {
  /** Null for a new connection. */
  connection: ConnectionView | null
  /** @throws ApiError */
  onSubmit(input: ConnectionInput): Promise<unknown>
}

function useConnectionForm({ connection, onSubmit }: Change) {
  const [replaces, setReplaces] = useState(connection === null)
  const form = useApiForm<Values>({
    values: {
      name: connection?.name ?? '',
      baseUrl: connection?.baseUrl ?? 'https://',
      auth: {
        kind: connection?.auth.kind ?? 'bearer',
        token: '',
        username: '',
        password: '',
        name: connection?.auth.name ?? '',
        key: '',
      },
      headers: connection?.headers ?? [],
      timeoutSeconds: connection?.timeoutSeconds ?? SECONDS.usual,
    },
    ...(connection && { version: connection.updatedAt }),
    onSubmit: async ({ auth, ...values }) => {
      await onSubmit({ ...values, ...(replaces && { auth: authOf(auth) }) })
      if (connection !== null) setReplaces(false)
    },
  })
  return { form, replaces, setReplaces }
}

/** The form of a new or existing API connection. The stored credential is never shown. */
export function ConnectionForm({ act, ...change }: Change & { act?: string }) {
  const t = useWords(connectionsWords)
  const { form, replaces, setReplaces } = useConnectionForm(change)
  const { connection } = change
  return (
    <Form form={form} act={act} className={layout.pageForm}>
      <TextInput label={t('name')} description={t('name_help')} {...form.field('name')} />
      <TextInput
        dir="ltr"
        type="url"
        label={t('base_url')}
        description={t('base_url_help')}
        {...form.field('baseUrl')}
      />
      {replaces ? (
        <CredentialFields
          form={form}
          {...(connection !== null && { onKeep: () => setReplaces(false) })}
        />
      ) : (
        <div>
          <div className={layout.stored}>
            {connection && <Credential auth={connection.auth} />}
            <Button size="compact-md" onClick={() => setReplaces(true)}>
              {t('replace')}
            </Button>
          </div>
          <p className={layout.help}>{t('origin_moves')}</p>
          <AuthError form={form} />
        </div>
      )}
      <HeaderFields form={form} replaces={replaces} onReplace={() => setReplaces(true)} />
      <NumberInput
        label={t('timeout')}
        description={t('timeout_help', SECONDS)}
        min={SECONDS.least}
        max={SECONDS.most}
        allowDecimal={false}
        w={220}
        {...form.pick('timeoutSeconds')}
      />
    </Form>
  )
}

/** The headers of every call. For a header that looks like a secret, the form offers to store it as the credential. */
function HeaderFields({
  form,
  replaces,
  onReplace,
}: {
  form: ApiForm<Values>
  replaces: boolean
  onReplace(): void
}) {
  const t = useWords(connectionsWords)
  const headers = form.watch('headers')
  const auth = form.watch('auth')
  const isFree = replaces ? secretOf(auth) === '' : auth.kind === 'none'
  const secret = headers.find(({ name, value }) => namesSecret(name) && value !== '')
  const keepAsCredential = ({ name, value }: Values['headers'][number]) => {
    onReplace()
    const kept = { ...auth, kind: 'header', name, key: value } as const
    form.setValue('auth', kept, { shouldDirty: true })
    const others = headers.filter((header) => header.name !== name)
    form.setValue('headers', others, { shouldDirty: true })
  }
  return (
    <div>
      <NameValueRows
        label={t('headers')}
        nameLabel={t('header_name')}
        valueLabel={t('header_value')}
        addLabel={t('add_header')}
        rows={headers}
        max={CALL_LIMITS.defaultHeaders}
        onChange={(rows) => form.setValue('headers', rows, { shouldDirty: true })}
        errorAt={(index, part) => form.errorOf(`headers.${index}.${part}`)}
      />
      <p className={layout.help}>{t('headers_help')}</p>
      {secret && (
        <div className={layout.stored}>
          <p className={layout.help} role="status">
            {t('secret_header', { name: secret.name })}
          </p>
          {isFree && (
            <Button size="compact-md" onClick={() => keepAsCredential(secret)}>
              {t('keep_as_credential')}
            </Button>
          )}
        </div>
      )}
    </div>
  )
}

function AuthError({ form }: { form: ApiForm<Values> }) {
  const wrong = form.errorOf('auth')
  return wrong === undefined ? null : (
    <p className={layout.wrong} role="alert">
      {wrong}
    </p>
  )
}

function CredentialFields({ form, onKeep }: { form: ApiForm<Values>; onKeep?: () => void }) {
  const t = useWords(connectionsWords)
  const kind = form.watch('auth.kind')
  const secret = { autoComplete: 'new-password', dir: 'ltr' } as const
  const chars = countCodePoints(secretOf(form.watch('auth')).trim())
  const isShort = chars > 0 && chars < CALL_LIMITS.credentialHiddenFromChars
  return (
    <fieldset className={layout.pageForm} style={{ border: 0, margin: 0, padding: 0 }}>
      <legend className="visually-hidden">{t('credential')}</legend>
      <Select
        label={t('auth_kind')}
        data={CONNECTION_AUTH_KINDS.map((value) => ({ value, label: t(authWord(value)) }))}
        allowDeselect={false}
        {...form.pick('auth.kind')}
      />
      {kind === 'bearer' && (
        <PasswordInput {...secret} label={t('token')} {...form.field('auth.token')} />
      )}
      {kind === 'basic' && (
        <div className={styles.pair}>
          <TextInput
            dir="ltr"
            autoComplete="off"
            label={t('username')}
            {...form.field('auth.username')}
          />
          <PasswordInput {...secret} label={t('password')} {...form.field('auth.password')} />
        </div>
      )}
      {(kind === 'header' || kind === 'query') && (
        <div className={styles.pair}>
          <TextInput
            dir="ltr"
            label={t(kind === 'header' ? 'key_header' : 'key_query')}
            {...form.field('auth.name')}
          />
          <PasswordInput {...secret} label={t('key')} {...form.field('auth.key')} />
        </div>
      )}
      {kind !== 'none' && <p className={layout.help}>{t('write_only')}</p>}
      {isShort && (
        <p className={layout.help} role="status">
          {t('short_secret', { n: CALL_LIMITS.credentialHiddenFromChars })}
        </p>
      )}
      <AuthError form={form} />
      {onKeep && (
        <div>
          <Button size="compact-md" onClick={onKeep}>
            {t('keep_credential')}
          </Button>
        </div>
      )}
    </fieldset>
  )
}
