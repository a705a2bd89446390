import { Button, NumberInput, PasswordInput, Select, Switch, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { ModelView } from '../../../contract/dashboard/model.ts'
import { MODEL_LIMITS } from '../../../core/limits/models.ts'
import { MODEL_KINDS, type ModelKind, type Thinking } from '../../../core/vocabulary/models.ts'
import { type ApiForm, Form, useApiForm } from '../../parts/form.tsx'
import { useWords } from '../../words/use-words.tsx'
import layout from '../../parts/layout.module.css'
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

/** The API's input for a model; without `key` the stored one stays. */
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

type Change = {
  /** Null for a new model. */
  model: ModelView | null
  /** @throws ApiError */
  onSubmit(input: ModelInput): Promise<unknown>
}

function useModelForm({ model, onSubmit }: Change) {
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
  return { form, replaces, setReplaces }
}

/** The form of a new or existing language model. The stored key is never shown. */
export function ModelForm({ act, ...change }: Change & { act?: string }) {
  const t = useWords(modelsWords)
  const { form, replaces, setReplaces } = useModelForm(change)
  const { model } = change
  const kind = form.watch('kind')
  return (
    <Form form={form} act={act} className={layout.pageForm}>
      <Select
        label={t('kind')}
        data={MODEL_KINDS.map((value) => ({ value, label: t(value) }))}
        allowDeselect={false}
        {...form.pick('kind')}
      />
      <TextInput
        dir="ltr"
        autoComplete="off"
        label={t('model_name')}
        description={t('model_name_help')}
        {...form.field('modelName')}
      />
      <TextInput
        dir="ltr"
        type="url"
        label={t('base_url')}
        description={
          kind === 'openai_compatible'
            ? t('base_url_help')
            : `${t('base_url_own')} ${t('base_url_help')}`
        }
        {...form.field('baseUrl')}
      />
      <KeyField form={form} model={model} replaces={replaces} onReplace={setReplaces} />
      <NumberInput
        label={t('context')}
        description={t('context_help')}
        min={MODEL_LIMITS.minContextTokens}
        max={MODEL_LIMITS.maxContextTokens}
        allowDecimal={false}
        thousandSeparator=","
        w={220}
        {...form.pick('contextTokens')}
      />
      <Abilities form={form} />
    </Form>
  )
}

function KeyField({
  form,
  model,
  replaces,
  onReplace,
}: {
  form: ApiForm<Values>
  model: ModelView | null
  replaces: boolean
  onReplace(replaces: boolean): void
}) {
  const t = useWords(modelsWords)
  const isCompatible = form.watch('kind') === 'openai_compatible'
  const error = form.errorOf('key')
  if (!replaces) {
    return (
      <div>
        <div className={layout.stored}>
          {model && <StoredKey model={model} />}
          <Button size="compact-md" onClick={() => onReplace(true)}>
            {t('replace')}
          </Button>
        </div>
        {error !== undefined && (
          <p className={layout.wrong} role="alert">
            {error}
          </p>
        )}
      </div>
    )
  }
  return (
    <>
      <PasswordInput
        dir="ltr"
        autoComplete="new-password"
        label={t('key')}
        description={isCompatible ? `${t('key_optional')} ${t('key_help')}` : t('key_help')}
        error={error}
        {...form.register('key')}
      />
      {model !== null && (
        <div>
          <Button size="compact-md" onClick={() => onReplace(false)}>
            {t('keep_key')}
          </Button>
        </div>
      )}
    </>
  )
}

/** Fields for what the model can do besides text. */
function Abilities({ form }: { form: ApiForm<Values> }) {
  const t = useWords(modelsWords)
  const kind = form.watch('kind')
  return (
    <>
      {kind !== 'anthropic' && (
        <TextInput
          dir="ltr"
          autoComplete="off"
          label={t('hears')}
          description={t('hears_help')}
          {...form.field('transcriptionModel')}
        />
      )}
      <Switch label={t('sees')} description={t('sees_help')} {...form.check('readsImages')} />
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
    </>
  )
}

/** The presence of a key and its last four characters, which are all that the API returns of it. */
function StoredKey({ model: { hasKey, lastFour } }: { model: ModelView }) {
  const t = useWords(modelsWords)
  if (!hasKey) return <span>{t('no_key')}</span>
  return (
    <span>{lastFour === null ? t('stored_key') : t('stored_key_end', { code: lastFour })}</span>
  )
}
