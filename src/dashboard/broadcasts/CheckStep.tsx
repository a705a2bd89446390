import { Button, Radio } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { PageButton } from '../parts/PageLink.tsx'
import { useGo } from '../app/pages.ts'
import type { BroadcastCheck, BroadcastView } from '../../contract/dashboard/broadcast.ts'
import { useApi } from '../app/resources.ts'
import { ConfirmButton } from '../parts/Dialogs.tsx'
import { Banner, PageHeader, Panel, ReadState } from '../parts/Page.tsx'
import { TimeField } from '../parts/TimeField.tsx'
import { instantOfTyped, useFormat } from '../words/format.ts'
import { useManner } from '../words/language.ts'
import { useWords } from '../words/use-words.tsx'
import { BroadcastPill } from './BroadcastPill.tsx'
import layout from '../parts/layout.module.css'
import styles from './broadcasts.module.css'
import { Facts } from './Facts.tsx'
import { LeftOut } from './LeftOut.tsx'
import { Steps } from './Steps.tsx'
import { broadcastsWords } from './words.ts'
import { FormDialog } from '../parts/FormDialog.tsx'
import { newKey } from '../app/new-key.ts'
import { ContactPicker } from '../parts/ContactPicker.tsx'
import { useApiForm } from '../parts/form.tsx'

/** The shortest duration that is shown, since an empty broadcast takes no time. */
const MIN_SHOWN_MS = 1_000

/**
 * The last step of a draft: the number of recipients, the problems, a test message, and the form that sends or
 * schedules the broadcast.
 */
export function CheckStep({ broadcast }: { broadcast: BroadcastView }) {
  const t = useWords(broadcastsWords)
  const api = useApi()
  const [isTesting, setTesting] = useState(false)
  const { id, template, audience } = broadcast
  const check = useQuery({
    queryKey: [
      ...api.key('broadcasts/:broadcastId/check', { broadcastId: id }),
      template,
      audience,
    ],
    staleTime: 0,
    queryFn: () => api.call('post', 'broadcasts/:broadcastId/check', { broadcastId: id }),
  })
  return (
    <>
      <PageHeader
        isBelow
        title={<bdi>{broadcast.name}</bdi>}
        pill={<BroadcastPill state="draft" />}
        acts={
          <>
            <DeleteDraft broadcast={broadcast} />
            <PageButton
              to="broadcasts/$broadcast"
              params={{ broadcast: id }}
              search={{ edit: true }}
            >
              {t('edit')}
            </PageButton>
            <Button onClick={() => setTesting(true)}>{t('test')}</Button>
          </>
        }
      />
      <Steps at={2} />
      <div className={layout.columns}>
        <div className={layout.stack}>
          <ReadState of={check} rows={3} />
          {check.data && (
            <Checked
              broadcast={broadcast}
              check={check.data}
              isBusy={check.isFetching}
              onCheck={() => void check.refetch()}
            />
          )}
        </div>
        <Facts broadcast={broadcast} />
      </div>
      {isTesting && <TestDialog broadcastId={id} onClose={() => setTesting(false)} />}
    </>
  )
}

function Checked({
  broadcast,
  check,
  isBusy,
  onCheck,
}: {
  broadcast: BroadcastView
  check: BroadcastCheck
  isBusy: boolean
  onCheck(): void
}) {
  const t = useWords(broadcastsWords)
  const format = useFormat()
  const { problems, contacts, receivers, leftOut, perSecond, lengthMs, sample } = check
  return (
    <>
      {problems.length > 0 && (
        <Banner
          tone="warn"
          title={t('problems', { n: problems.length })}
          act={
            <Button size="xs" loading={isBusy} onClick={onCheck}>
              {t('check_again')}
            </Button>
          }
        >
          <ul className={styles.problems}>
            {problems.map(({ field, text }) => (
              <li key={`${field}${text}`}>{text}</li>
            ))}
          </ul>
        </Banner>
      )}
      <Panel title={t('check')}>
        <div className={layout.fields}>
          <div className={styles.figure}>
            {receivers !== null && t('goes_to', { n: receivers })}
            {receivers === null && contacts !== null && t('would_go', { n: contacts })}
            {contacts === null && t('would_go_unknown')}
          </div>
          {lengthMs !== null && receivers !== 0 && (
            <p className={layout.quiet}>
              {t('takes', {
                n: perSecond,
                time: format.duration(Math.max(lengthMs, MIN_SHOWN_MS)),
              })}
            </p>
          )}
          {receivers === null && <p className={layout.quiet}>{t('left_out_uncounted')}</p>}
          <LeftOut reasons={leftOut} />
          {problems.length === 0 && contacts !== 0 && receivers !== 0 && (
            <Send broadcast={broadcast} check={check} />
          )}
        </div>
      </Panel>
      {problems.length === 0 && (
        <Panel title={t('sample')}>
          {sample === null ? (
            <p className={layout.quiet}>{t('no_sample')}</p>
          ) : (
            <p className={styles.bubble} dir="auto">
              {sample.text}
            </p>
          )}
        </Panel>
      )}
    </>
  )
}

function Send({ broadcast, check }: { broadcast: BroadcastView; check: BroadcastCheck }) {
  const t = useWords(broadcastsWords)
  const format = useFormat()
  const api = useApi()
  const [when, setWhen] = useState('now')
  const [at, setAt] = useState('')
  const { receivers, leftOut, lengthMs } = check
  const { timeShown } = useManner()
  const sendAt =
    when === 'later' && at !== '' ? instantOfTyped(at, timeShown).toISOString() : undefined
  const act = receivers === null ? t('send_unknown') : t('send', { n: receivers })
  return (
    <>
      <Radio.Group label={t('when')} value={when} onChange={setWhen}>
        <Radio mt="sm" value="now" label={t('send_now')} />
        <Radio mt="sm" value="later" label={t('send_later')} />
      </Radio.Group>
      {when === 'later' && (
        <TimeField
          form="moment"
          label={t('send_at')}
          description={t(timeShown === 'utc' ? 'utc_time' : 'your_time')}
          value={at}
          onChange={setAt}
        />
      )}
      <div>
        <ConfirmButton
          label={act}
          button={{ variant: 'filled', disabled: when === 'later' && at === '' }}
          title={receivers === null ? t('send_unknown_title') : t('send_title', { n: receivers })}
          keep={t('send_keep')}
          send={() =>
            api.post(
              'broadcasts/:broadcastId/start',
              { broadcastId: broadcast.id },
              sendAt === undefined ? {} : { sendAt },
            )
          }
          done={t(sendAt === undefined ? 'started' : 'scheduled_done')}
        >
          {sendAt !== undefined && <p>{t('begins_at', { time: format.dateTime(sendAt) })}</p>}
          <LeftOut reasons={leftOut} />
          {t('send_why', { time: format.duration(Math.max(lengthMs ?? 0, MIN_SHOWN_MS)) })}
        </ConfirmButton>
      </div>
    </>
  )
}

function DeleteDraft({ broadcast }: { broadcast: BroadcastView }) {
  const t = useWords(broadcastsWords)
  const api = useApi()
  const go = useGo()
  return (
    <ConfirmButton
      label={t('delete')}
      title={t('delete_title', { name: broadcast.name })}
      keep={t('delete_keep')}
      isGrave
      send={async () => {
        await api.delete('broadcasts/:broadcastId', { broadcastId: broadcast.id })
        await go('broadcasts', {})
      }}
      done={t('deleted')}
    >
      {t('delete_why')}
    </ConfirmButton>
  )
}

/** A dialog that sends one real message to one contact, which is not counted. */
function TestDialog({ broadcastId, onClose }: { broadcastId: string; onClose(): void }) {
  const t = useWords(broadcastsWords)
  const api = useApi()
  // The idempotency key of one test; a retry without a response sends once. Another contact is another test.
  const [key] = useState(newKey)
  const form = useApiForm<{ contactId: string }>({
    values: { contactId: '' },
    onSubmit: async ({ contactId }) => {
      const json = { contactId, key: `${key}-${contactId}` }
      await api.call('post', 'broadcasts/:broadcastId/test', { broadcastId }, json)
    },
    done: t('test_sent'),
    onDone: onClose,
  })
  return (
    <FormDialog
      form={form}
      title={t('test')}
      act={t('test_act')}
      keep={t('test_keep')}
      onClose={onClose}
    >
      <p className={layout.quiet}>{t('test_why')}</p>
      <ContactPicker
        label={t('test_to')}
        error={form.errorOf('contactId')}
        onPick={(contact) => form.setValue('contactId', contact?.id ?? '')}
      />
    </FormDialog>
  )
}
