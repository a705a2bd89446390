import { Button, NumberInput, PasswordInput, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { Controller } from 'react-hook-form'
import type { ChannelView } from '../../contract/dashboard/channel.ts'
import { CHANNEL_LIMITS } from '../../limits/messaging.ts'
import { api, ask } from '../app/api.ts'
import { useCompanyId } from '../app/company.ts'
import { queries } from '../app/queries.ts'
import { Ltr } from '../parts/Code.tsx'
import { Confirm } from '../parts/Dialogs.tsx'
import { FormFoot, useApiForm } from '../parts/form.tsx'
import { Banner, Details, Failed, PageHeader, Panel, Skeleton } from '../parts/Page.tsx'
import { Time } from '../parts/Time.tsx'
import { sayDone } from '../parts/toasts.tsx'
import { useAct } from '../parts/use-act.ts'
import { useWords } from '../words/use-words.tsx'
import { Capabilities } from './Capabilities.tsx'
import { ChannelPill } from './ChannelPill.tsx'
import { CheckButton } from './CheckButton.tsx'
import styles from './channels.module.css'
import { PasteAtProvider } from './PasteAtProvider.tsx'
import { channelsWords } from './words.ts'

const of = api.companies[':companyId'].channels[':channelId']

const readAnew = (companyId: string) =>
  queries.invalidateQueries({ queryKey: ['channels', companyId] })

export function Channel() {
  const t = useWords(channelsWords)
  const companyId = useCompanyId()
  const { channel: channelId } = useParams({ from: '/p/$company/channels/$channel' })
  const {
    data: channel,
    isError,
    error,
    refetch,
  } = useQuery({
    queryKey: ['channels', companyId, channelId],
    queryFn: () => ask(of.$get({ param: { companyId, channelId } })),
  })
  if (isError) return <Failed error={error} onRetry={() => void refetch()} />
  if (!channel) return <Skeleton />
  return (
    <>
      <PageHeader
        title={<bdi>{channel.name ?? t(channel.type)}</bdi>}
        lead={t(channel.type)}
        pill={<ChannelPill channel={channel} />}
        acts={<Switches channel={channel} />}
      />
      {!channel.isConnected && (
        <Banner tone="bad" title={t('is_disconnected')}>
          {channel.disconnectedReason?.text}
        </Banner>
      )}
      {channel.isSimulated && <Banner tone="busy" title={t('simulated_why')} />}
      <div className={styles.columns}>
        <div className={styles.form}>
          <Settings key={channel.updatedAt} channel={channel} />
          <Panel title={t('can_do')}>
            <Capabilities type={channel.type} />
          </Panel>
        </div>
        <div className={styles.form}>
          <Panel title={t('health')}>
            <CheckButton channelId={channel.id} />
          </Panel>
          <Panel title={t('at_provider')}>
            <Known channel={channel} />
          </Panel>
          {channel.webhookUrl !== null && (
            <Panel title={t('at_meta')}>
              <PasteAtProvider url={channel.webhookUrl} verifyToken={null} />
            </Panel>
          )}
        </div>
      </div>
    </>
  )
}

function Known({ channel }: { channel: ChannelView }) {
  const t = useWords(channelsWords)
  const companyId = useCompanyId()
  const { displayNumber, phoneNumberId, businessAccountId } = channel.credentials
  return (
    <div className={styles.form}>
      <Details
        items={[
          [t('displayNumber'), <Ltr key="n">{displayNumber}</Ltr>],
          [t('phoneNumberId'), <Ltr key="p">{phoneNumberId}</Ltr>],
          [t('businessAccountId'), <Ltr key="b">{businessAccountId}</Ltr>],
          ...Object.entries(channel.secretEnds).map(
            ([field, end]) =>
              [
                t(field === 'accessToken' ? 'accessToken' : 'secret'),
                <Ltr key={field}>{end === null ? '••••' : `…${end}`}</Ltr>,
              ] as const,
          ),
          ...(channel.country === null
            ? []
            : [[t('country'), <Ltr key="c">{channel.country}</Ltr>] as const]),
          [t('since'), <Time key="at" at={channel.createdAt} />],
        ]}
      />
      <Link
        to="/p/$company/templates"
        params={{ company: companyId }}
        search={{ channel: channel.id }}
      >
        {t('to_templates')}
      </Link>
    </div>
  )
}

function Settings({ channel }: { channel: ChannelView }) {
  const t = useWords(channelsWords)
  const companyId = useCompanyId()
  const form = useApiForm<{
    name: string
    takeOverHours: number
    credentials: { accessToken: string }
  }>({
    values: {
      name: channel.name ?? '',
      takeOverHours: channel.takeOverHours,
      credentials: { accessToken: '' },
    },
    onSubmit: async ({ name, takeOverHours, credentials }) => {
      await ask(
        of.$patch({
          param: { companyId, channelId: channel.id },
          json: {
            name,
            takeOverHours,
            // Empty: the one that is stored stays.
            ...(credentials.accessToken !== '' && { credentials }),
          },
        }),
      )
      sayDone(t('saved'))
      await readAnew(companyId)
    },
  })
  const end = channel.secretEnds['accessToken']
  return (
    <Panel title={t('settings')}>
      <form onSubmit={form.submit} className={styles.form} noValidate>
        <TextInput
          label={t('name')}
          dir="auto"
          error={form.errorOf('name')}
          {...form.register('name')}
        />
        <Controller
          control={form.control}
          name="takeOverHours"
          render={({ field }) => (
            <NumberInput
              label={t('take_over_hours')}
              description={t('take_over_hours_why')}
              min={CHANNEL_LIMITS.takeOverHoursLeast}
              max={CHANNEL_LIMITS.takeOverHoursMost}
              allowDecimal={false}
              value={field.value}
              error={form.errorOf('takeOverHours')}
              onChange={(value) => field.onChange(Number(value))}
            />
          )}
        />
        {'accessToken' in channel.secretEnds && (
          <PasswordInput
            label={t('new_access_token')}
            description={end == null ? t('token_stays') : t('token_stays_end', { end })}
            autoComplete="off"
            classNames={{ innerInput: styles.ltr! }}
            error={form.errorOf('credentials.accessToken')}
            {...form.register('credentials.accessToken')}
          />
        )}
        <FormFoot form={form} act={t('save')} />
      </form>
    </Panel>
  )
}

function Switches({ channel }: { channel: ChannelView }) {
  const t = useWords(channelsWords)
  const companyId = useCompanyId()
  const navigate = useNavigate()
  const [asked, setAsked] = useState<'disconnect' | 'delete' | null>(null)
  const { isBusy, run } = useAct()
  const param = { companyId, channelId: channel.id }
  const name = channel.name ?? t(channel.type)
  const reconnect = async () => {
    if (await run(() => ask(of.connect.$post({ param })))) sayDone(t('was_reconnected'))
    await readAnew(companyId)
  }
  const disconnect = async () => {
    if (await run(() => ask(of.disconnect.$post({ param })))) {
      sayDone(t('was_disconnected'), { label: t('reconnect'), run: () => void reconnect() })
    }
    setAsked(null)
    await readAnew(companyId)
  }
  const remove = async () => {
    const isDone = await run(async () => {
      await ask(of.$delete({ param }))
      return true
    })
    setAsked(null)
    if (!isDone) return
    sayDone(t('was_deleted'))
    await navigate({ to: '/p/$company/channels', params: { company: companyId } })
    await readAnew(companyId)
  }
  return (
    <>
      <Button onClick={() => setAsked('delete')}>{t('delete')}</Button>
      {channel.isConnected ? (
        <Button onClick={() => setAsked('disconnect')}>{t('disconnect')}</Button>
      ) : (
        <Button variant="filled" loading={isBusy} onClick={() => void reconnect()}>
          {t('reconnect')}
        </Button>
      )}
      <Confirm
        isOpen={asked === 'disconnect'}
        title={t('disconnect_title', { name })}
        act={t('disconnect')}
        isBusy={isBusy}
        onAct={() => void disconnect()}
        onClose={() => setAsked(null)}
      >
        {t('disconnect_why')}
      </Confirm>
      <Confirm
        isOpen={asked === 'delete'}
        isGrave
        title={t('delete_title', { name })}
        act={t('delete')}
        isBusy={isBusy}
        onAct={() => void remove()}
        onClose={() => setAsked(null)}
      >
        {t('delete_why')}
      </Confirm>
    </>
  )
}
