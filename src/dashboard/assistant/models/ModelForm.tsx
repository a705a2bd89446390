import { Button, NumberInput, PasswordInput, Select, Switch, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { ModelView } from '../../../contract/dashboard/model.ts'
import { MODEL_LIMITS } from '../../../limits/models.ts'
import { MODEL_KINDS, type ModelKind, type Thinking } from '../../../vocabulary/models.ts'
import { FormFoot, useApiForm } from '../../parts/form.tsx'
import { useWords } from '../../words/use-words.tsx'
import styles from './models.module.css'
import { modelsWords } from './words.ts'

type Values = {
  kind: ModelKind
  modelName: string
  baseUrl: string
  key: string
  contextTokens: number
  transcriptionModel: string
  readsImages: boolean
  thinking: Thinking
}

/** What is sent of a form; without `key` the stored one stays. */
export type ModelInput = {
  kind: ModelKind
  modelName: string
  baseUrl: string | null
  key?: string | null
  contextTokens: number
  transcriptionModel: string | null
  readsImages: boolean
  thinking: Thinking
}

const ORDER = ['label', 'input', 'error', 'description'] as (
  | 'label'
  | 'input'
  | 'error'
  | 'description'
)[]

/** A model as it is added or changed. Its key is only ever written. */
export function ModelForm({
  model,
  act,
  onSubmit,
}: {
  /** Null: a new one. */
  model: ModelView | null
  act: string
  /** @throws Refusal */
  onSubmit(input: ModelInput): Promise<unknown>
}) {
  const t = useWords(modelsWords)
  const [replaces, setReplaces] = useState(model === null)
  const form = useApiForm<Values>({
    values: {
      kind: model?.kind ?? 'openai',
      modelName: model?.modelName ?? '',
      baseUrl: model?.baseUrl ?? '',
      key: '',
      contextTokens: model?.contextTokens ?? MODEL_LIMITS.contextTokensDefault,
      transcriptionModel: model?.transcriptionModel ?? '',
      readsImages: model?.readsImages ?? false,
      thinking: model?.thinking ?? 'off',
    },
    ...(model && { version: model.revision }),
    onSubmit: async ({ key, baseUrl, transcriptionModel, ...values }) => {
      const hears = values.kind === 'anthropic' ? '' : transcriptionModel.trim()
      await onSubmit({
        ...values,
        baseUrl: baseUrl.trim() === '' ? null : baseUrl.trim(),
        transcriptionModel: hears === '' ? null : hears,
        thinking: values.kind === 'anthropic' ? 'off' : values.thinking,
        ...(replaces && { key: key.trim() === '' ? null : key.trim() }),
      })
      if (model !== null) setReplaces(false)
    },
  })
  const kind = form.watch('kind')
  const isCompatible = kind === 'openai_compatible'
  const keyError = form.errorOf('key')
  return (
    <form className={styles.form} noValidate onSubmit={form.submit}>
      <Select
        label={t('kind')}
        data={MODEL_KINDS.map((value) => ({ value, label: t(value) }))}
        allowDeselect={false}
        value={kind}
        error={form.errorOf('kind')}
        onChange={(value) => {
          if (value !== null) form.setValue('kind', value)
        }}
      />
      <TextInput
        dir="ltr"
        autoComplete="off"
        label={t('model_name')}
        description={t('model_name_help')}
        inputWrapperOrder={ORDER}
        {...form.field('modelName')}
      />
      <TextInput
        dir="ltr"
        type="url"
        label={t('base_url')}
        description={
          isCompatible ? t('base_url_help') : `${t('base_url_own')} ${t('base_url_help')}`
        }
        inputWrapperOrder={ORDER}
        {...form.field('baseUrl')}
      />
      {replaces ? (
        <PasswordInput
          dir="ltr"
          autoComplete="new-password"
          label={t('key')}
          description={isCompatible ? `${t('key_optional')} ${t('key_help')}` : t('key_help')}
          inputWrapperOrder={ORDER}
          error={keyError}
          {...form.register('key')}
        />
      ) : (
        <div>
          <div className={styles.stored}>
            {model && <StoredKey model={model} />}
            <Button size="compact-md" onClick={() => setReplaces(true)}>
              {t('replace')}
            </Button>
          </div>
          {keyError !== undefined && (
            <p className={styles.wrong} role="alert">
              {keyError}
            </p>
          )}
        </div>
      )}
      {replaces && model !== null && (
        <div>
          <Button size="compact-md" onClick={() => setReplaces(false)}>
            {t('keep_key')}
          </Button>
        </div>
      )}
      <NumberInput
        label={t('context')}
        description={t('context_help')}
        inputWrapperOrder={ORDER}
        min={MODEL_LIMITS.contextTokensLeast}
        max={MODEL_LIMITS.contextTokensMost}
        allowDecimal={false}
        thousandSeparator=","
        w={220}
        value={form.watch('contextTokens')}
        error={form.errorOf('contextTokens')}
        onChange={(value) => form.setValue('contextTokens', Number(value))}
      />
      {kind !== 'anthropic' && (
        <TextInput
          dir="ltr"
          autoComplete="off"
          label={t('hears')}
          description={t('hears_help')}
          inputWrapperOrder={ORDER}
          {...form.field('transcriptionModel')}
        />
      )}
      <Switch
        label={t('sees')}
        description={t('sees_help')}
        checked={form.watch('readsImages')}
        error={form.errorOf('readsImages')}
        onChange={(event) => form.setValue('readsImages', event.currentTarget.checked)}
      />
      {kind !== 'anthropic' && (
        <Switch
          label={t('thinks')}
          description={t('thinks_help')}
          checked={form.watch('thinking') === 'on'}
          error={form.errorOf('thinking')}
          onChange={(event) =>
            form.setValue('thinking', event.currentTarget.checked ? 'on' : 'off')
          }
        />
      )}
      <FormFoot form={form} act={act} />
    </form>
  )
}

/** That there is one, and its last four characters: more of it is shown to nobody. */
function StoredKey({ model: { hasKey, lastFour } }: { model: ModelView }) {
  const t = useWords(modelsWords)
  if (!hasKey) return <span>{t('no_key')}</span>
  return (
    <span>{lastFour === null ? t('stored_key') : t('stored_key_end', { code: lastFour })}</span>
  )
}
