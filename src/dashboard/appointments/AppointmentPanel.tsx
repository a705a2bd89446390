import { appointmentStatusWords } from '../../core/words/appointment-status-words.ts'
import { Button, Textarea } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { PageLink } from '../parts/PageLink.tsx'
import type {
  AppointmentDetail,
  AppointmentView,
  AppointmentNoticeView,
} from '../../contract/dashboard/appointment.ts'
import { useApi } from '../app/resources.ts'
import { useLiveQuery } from '../app/live.tsx'
import { IdChip, Ltr, CopyButton } from '../parts/Code.tsx'
import { Icon } from '../parts/Icon.tsx'
import { Details, Failed, Skeleton } from '../parts/Page.tsx'
import { Phone } from '../parts/Phone.tsx'
import { Time } from '../parts/Time.tsx'
import { toastSuccess } from '../parts/toasts.tsx'
import { useApiMutation } from '../parts/use-api-mutation.ts'
import { partsWords } from '../parts/words.ts'
import { useFormat } from '../words/format.ts'
import { IconButton } from '../parts/IconButton.tsx'
import { useWords } from '../words/use-words.tsx'
import { AppointmentHistory } from './AppointmentHistory.tsx'
import layout from '../parts/layout.module.css'
import styles from './appointments.module.css'
import panelStyles from './appointment-panel.module.css'
import { MoveDialog } from './MoveDialog.tsx'
import { StatusPill } from './StatusPill.tsx'
import { useNamed } from '../words/use-named.ts'
import { msOf, nowMs, useWallFormat, wallOf } from './wall.ts'
import { appointmentsWords } from './words.ts'
import { ActButton } from '../parts/ActButton.tsx'
import { APPOINTMENT_LIMITS } from '../../core/limits/appointments.ts'
import { Confirm } from '../parts/Dialogs.tsx'
import { bookWords } from './words-book.ts'
import type { IconName } from '../parts/icons.ts'
import type { Tone } from '../parts/Pill.tsx'
import { Timeline } from '../parts/Timeline.tsx'

/** Returns the query of one appointment, which is repeated on live changes, as is that of its history. */
export function useAppointment(appointmentId: string) {
  const api = useApi()
  useLiveQuery('appointment', api.key('appointments/:appointmentId', { appointmentId }))
  return useQuery(api.get('appointments/:appointmentId', { appointmentId }))
}

/** The panel next to the calendar with one appointment, its acts and its history. */
export function AppointmentAside({
  appointmentId,
  onClose,
}: {
  appointmentId: string
  onClose(): void
}) {
  const t = useWords(appointmentsWords)
  const parts = useWords(partsWords)
  const one = useAppointment(appointmentId)
  const panel = useRef<HTMLElement>(null)
  useEffect(() => panel.current?.focus(), [])
  return (
    <aside
      className={panelStyles.aside}
      aria-label={t('appointment')}
      tabIndex={-1}
      ref={panel}
      onKeyDown={(event) => {
        if (event.key === 'Escape' && event.target === panel.current) onClose()
      }}
    >
      <div className={panelStyles.asideHead}>
        {one.data && <StatusPill status={one.data.status} />}
        <span className={panelStyles.asideEnd}>
          {one.data && <IdChip id={one.data.reference} />}
          <IconButton hasTip icon="close" label={parts('close')} onClick={onClose} />
        </span>
      </div>
      {one.isPending && <Skeleton />}
      {one.isError && <Failed error={one.error} onRetry={() => void one.refetch()} />}
      {one.data && <AppointmentBody one={one.data} heading="h2" />}
    </aside>
  )
}

/** The details of an appointment, its acts, and its history. */
export function AppointmentBody({
  one,
  heading: Heading,
}: {
  one: AppointmentDetail
  /** Null where the page already names the service. */
  heading: 'h2' | null
}) {
  const t = useWords(appointmentsWords)
  const wall = useWallFormat()
  const named = useNamed()
  const Part = Heading === null ? 'h2' : 'h3'
  return (
    <>
      {Heading && (
        <Heading className={panelStyles.asideTitle}>
          <bdi>{named({ name: one.serviceName, nameAr: one.serviceNameAr })}</bdi>
        </Heading>
      )}
      <p className={layout.lead}>
        {wall.dayFromTo(wallOf(one.zone, one.startsAt), wallOf(one.zone, one.endsAt))}
        <span className={styles.faint}> {wall.zone(one.zone)}</span>
      </p>
      <Facts one={one} />
      <Acts one={one} />
      <section className={panelStyles.part}>
        <Part>{t('no_event_title')}</Part>
        <p>{t('no_event_why')}</p>
      </section>
      <section className={panelStyles.part}>
        <Part>{t('customers_page')}</Part>
        <CustomerLink appointmentId={one.id} />
      </section>
      {one.notices.length > 0 && (
        <section className={panelStyles.part}>
          <Part>{t('told')}</Part>
          <CustomerNotices notices={one.notices} />
        </section>
      )}
      <section className={panelStyles.part}>
        <Part>{t('history')}</Part>
        <AppointmentHistory one={one} />
      </section>
    </>
  )
}

function Facts({ one }: { one: AppointmentDetail }) {
  const t = useWords(appointmentsWords)
  const nameOfStatus = useWords(appointmentStatusWords)
  const named = useNamed()
  const format = useFormat()
  const { phone, rawPhone, email, customerName, contact } = one
  const isElsewhere =
    wallOf(one.zone, one.startsAt) !== msOf(one.startsAt) - offsetHere(one.startsAt)
  const name = <bdi>{customerName ?? contact?.name ?? t('no_name')}</bdi>
  return (
    <Details
      items={[
        [
          t('customer'),
          contact === null ? (
            name
          ) : (
            <PageLink to="contacts/$contact" params={{ contact: contact.id }}>
              {name}
            </PageLink>
          ),
        ],
        ...((phone ?? rawPhone) === null
          ? []
          : [[t('phone'), <Phone key="phone" phone={phone ?? rawPhone ?? ''} />] as const]),
        ...(email === null ? [] : [[t('email'), <Ltr key="email">{email}</Ltr>] as const]),
        ...(isElsewhere ? [[t('your_time'), <Time key="at" at={one.startsAt} />] as const] : []),
        [t('with'), <bdi key="with">{format.list(one.resources.map(named))}</bdi>],
        [
          t('booked_by'),
          <span key="by">
            {t(`source_${one.source}`)} · <Time at={one.createdAt} />
          </span>,
        ],
        ...(one.cancelledAt === null
          ? []
          : [
              [
                nameOfStatus('cancelled'),
                <span key="at">
                  {t(`cancelled_by_${one.cancelledBy ?? 'member'}`)} <Time at={one.cancelledAt} />
                </span>,
              ] as const,
            ]),
        ...(one.cancellationReason === null
          ? []
          : [[t('reason'), <bdi key="why">{one.cancellationReason}</bdi>] as const]),
        ...one.reminders.map(
          ({ flowId, dueAt }) => [t('reminder'), <Time key={flowId} at={dueAt} />] as const,
        ),
      ]}
    />
  )
}

/** Returns the milliseconds to add to the viewer's local time to get UTC, as the browser reports them. */
const offsetHere = (instant: string): number => new Date(instant).getTimezoneOffset() * 60_000

function Acts({ one }: { one: AppointmentDetail }) {
  const t = useWords(appointmentsWords)
  const api = useApi()
  const { isBusy, run } = useApiMutation()
  const [asked, setAsked] = useState<'move' | 'cancel' | null>(null)
  const end = async (route: 'complete' | 'no-show') => {
    const ended = await run(() =>
      api.post(`appointments/:appointmentId/${route}`, { appointmentId: one.id }),
    )
    if (ended === null) return
    toastSuccess(t(ended.status === 'completed' ? 'was_completed' : 'was_no_show'), {
      label: t(ended.status === 'completed' ? 'mark_no_show' : 'mark_completed'),
      run: () => void end(ended.status === 'completed' ? 'no-show' : 'complete'),
    })
  }
  const hasBegun = msOf(one.startsAt) <= nowMs()
  const isLive = one.status !== 'cancelled'
  return (
    <div className={panelStyles.acts}>
      {one.status === 'confirmed' && (
        <Button leftSection={<Icon name="calendar" />} onClick={() => setAsked('move')}>
          {t('move')}
        </Button>
      )}
      {isLive && hasBegun && one.status !== 'completed' && (
        <Button
          leftSection={<Icon name="check" />}
          loading={isBusy}
          onClick={() => void end('complete')}
        >
          {t('mark_completed')}
        </Button>
      )}
      {isLive && hasBegun && one.status !== 'no_show' && (
        <Button loading={isBusy} onClick={() => void end('no-show')}>
          {t('mark_no_show')}
        </Button>
      )}
      {one.conversationId !== null && (
        <PageLink
          to="inbox/$conversation"
          params={{ conversation: one.conversationId }}
          className={panelStyles.actLink}
        >
          <Icon name="note" />
          {t('open_chat')}
        </PageLink>
      )}
      {one.status === 'confirmed' && (
        <button type="button" className={panelStyles.grave} onClick={() => setAsked('cancel')}>
          {t('cancel')}
        </button>
      )}
      {asked === 'move' && (
        <MoveDialog move={{ appointment: one, to: null }} onClose={() => setAsked(null)} />
      )}
      {asked === 'cancel' && <CancelDialog one={one} onClose={() => setAsked(null)} />}
    </div>
  )
}

/**
 * A link to the page on which the customer sees and cancels the appointment. A link is created on request and not
 * stored.
 */
function CustomerLink({ appointmentId }: { appointmentId: string }) {
  const t = useWords(appointmentsWords)
  const api = useApi()
  const [url, setUrl] = useState<string | null>(null)
  const make = async () => {
    const made = await api.call('post', 'appointments/:appointmentId/link', { appointmentId })
    setUrl(made.url)
  }
  if (url === null) {
    return (
      <>
        <p>{t('customers_page_why')}</p>
        <ActButton size="xs" act={make}>
          {t('make_link')}
        </ActButton>
      </>
    )
  }
  return (
    <div className={panelStyles.made}>
      <a href={url} target="_blank" rel="noreferrer" dir="ltr">
        {url}
      </a>
      <CopyButton text={url} />
    </div>
  )
}

function CancelDialog({ one, onClose }: { one: AppointmentView; onClose(): void }) {
  const t = useWords(bookWords)
  const wall = useWallFormat()
  const api = useApi()
  const [reason, setReason] = useState('')
  return (
    <Confirm
      isGrave
      title={t('cancel_title', {
        name: one.customerName ?? one.reference,
        time: wall.dayAndTime(wallOf(one.zone, one.startsAt)),
      })}
      act={t('cancel_act')}
      keep={t('cancel_keep')}
      send={() =>
        api.post(
          'appointments/:appointmentId/cancel',
          { appointmentId: one.id },
          { reason: reason.trim() === '' ? null : reason },
        )
      }
      done={t('was_cancelled')}
      onClose={onClose}
    >
      <p>{t('cancel_why')}</p>
      <Textarea
        label={t('cancel_reason')}
        description={t('cancel_reason_why')}
        autosize
        minRows={2}
        maxLength={APPOINTMENT_LIMITS.reasonChars}
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
    </Confirm>
  )
}

const LOOKS: Readonly<Record<AppointmentNoticeView['state'], readonly [Tone, IconName]>> = {
  pending: ['busy', 'clock'],
  queued: ['ok', 'check'],
  mailing: ['busy', 'clock'],
  mailed: ['ok', 'check'],
  skipped: ['warn', 'warning'],
  unknown: ['warn', 'warning'],
}

/** The messages to the customer about an appointment, and the reasons of those that were not sent. */
function CustomerNotices({ notices }: { notices: readonly AppointmentNoticeView[] }) {
  const t = useWords(appointmentsWords)
  return (
    <Timeline
      label={t('told')}
      moments={notices.map(({ kind, state, at, why }, place) => {
        const [tone, icon] = LOOKS[state]
        return {
          key: String(place),
          tone,
          icon,
          content: (
            <>
              <div>{t(`told_${kind}`)}</div>
              {why && <div>{why.text}</div>}
              <div className={styles.faint}>
                {t(`told_${state}`)} {at !== null && <Time at={at} />}
              </div>
            </>
          ),
        }
      })}
    />
  )
}
