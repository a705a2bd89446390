import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { PageButton } from '../parts/PageLink.tsx'
import { useGo } from '../app/pages.ts'
import type { BroadcastView } from '../../contract/dashboard/broadcast.ts'
import { ApiError } from '../app/api.ts'
import { useApi } from '../app/resources.ts'
import { diffValues } from '../parts/diff-values.ts'
import { FormFoot, useApiForm } from '../parts/form.tsx'
import { PageHeader, Panel, ReadState } from '../parts/Page.tsx'
import { toastSuccess } from '../parts/toasts.tsx'
import { useWords } from '../words/use-words.tsx'
import { AudienceFields } from './AudienceFields.tsx'
import layout from '../parts/layout.module.css'
import styles from './broadcasts.module.css'
import { toDraft, toValues, type DraftValues, fillPlaceholders } from './draft-values.ts'
import { MessageFields } from './MessageFields.tsx'
import { Steps } from './Steps.tsx'
import { draftWords } from './words-draft.ts'
import type { TemplateView } from '../../contract/dashboard/template.ts'

/** The form of a draft: first the message, then the audience. After saving, the review is shown. */
export function DraftForm({ broadcast }: { broadcast: BroadcastView | null }) {
  const t = useWords(draftWords)
  const api = useApi()
  const go = useGo()
  const [step, setStep] = useState<0 | 1>(0)
  const before = toValues(broadcast)
  const form = useApiForm<DraftValues>({
    values: before,
    onSubmit: async (values) => {
      if (step === 0) return setStep(1)
      const json = toDraft(values, shown)
      const saving =
        broadcast === null
          ? api.post('broadcasts', json)
          : api.patch(
              'broadcasts/:broadcastId',
              { broadcastId: broadcast.id },
              diffValues(toDraft(before, shown), json),
            )
      const saved = await saving.catch((error: unknown) => {
        if (isOfMessage(error)) setStep(0)
        throw error
      })
      toastSuccess(t('saved'))
      await go('broadcasts/$broadcast', { broadcast: saved.id })
    },
  })
  const { channelId, template } = form.watch()
  const templateRead = useQuery({
    ...api.every('templates', { channelId: channelId ?? '', status: 'APPROVED' }),
    enabled: channelId !== null,
  })
  const templates = templateRead.data
  const versions = (templates ?? []).filter(({ name }) => name === template.name)
  const shown = versions.find(({ language }) => language === template.language) ?? versions[0]
  const isWritten = channelId !== null && template.name !== null && form.watch('name').trim() !== ''
  return (
    <>
      <PageHeader
        isBelow
        title={t(broadcast === null ? 'title' : 'edit_title')}
        lead={t('lead')}
        acts={<PageButton to="broadcasts">{t('leave')}</PageButton>}
      />
      <Steps at={step} />
      <form onSubmit={form.submit} noValidate className={layout.columns}>
        <Panel title={t(step === 0 ? 'step_message' : 'step_audience')}>
          <div className={layout.fields}>
            {templateRead.isError && <ReadState of={templateRead} />}
            {step === 0 ? (
              <MessageFields form={form} templates={templates} versions={versions} shown={shown} />
            ) : (
              <AudienceFields form={form} />
            )}
          </div>
          <div className={styles.foot}>
            {step === 0 ? (
              <Button type="submit" variant="filled" disabled={!isWritten}>
                {t('next')}
              </Button>
            ) : (
              <FormFoot form={form} act={t('to_check')}>
                <Button onClick={() => setStep(0)}>{t('back')}</Button>
              </FormFoot>
            )}
          </div>
        </Panel>
        <Panel title={t('preview')}>
          <Preview template={shown} values={template} />
        </Panel>
      </form>
    </>
  )
}

/** Returns whether the API refused a field of the first step, where its error is shown. */
function isOfMessage(error: unknown): boolean {
  return error instanceof ApiError && error.errors.some(({ field }) => !/^audience\b/.test(field))
}

/** A preview of the template with the values so far. */
function Preview({
  template,
  values,
}: {
  template: TemplateView | undefined
  values: DraftValues['template']
}) {
  const t = useWords(draftWords)
  if (template === undefined) return <p className={layout.quiet}>{t('preview_none')}</p>
  const { header, body } = template
  return (
    <p className={styles.bubble} dir="auto">
      {header !== null && (
        <span className={styles.bubbleHead}>{fillPlaceholders(header, () => values.header)}</span>
      )}
      {body !== null && fillPlaceholders(body, (name) => values.body[`v${name}`])}
    </p>
  )
}
