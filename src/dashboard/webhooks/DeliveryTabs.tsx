import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import type { DeliveryDetail } from '../../contract/dashboard/delivery.ts'
import { useApi } from '../app/resources.ts'
import { useCompanyId } from '../app/company.ts'
import { useCopy, Ltr } from '../parts/Code.tsx'
import { Icon } from '../parts/Icon.tsx'
import { JsonView } from '../parts/JsonView.tsx'
import { Empty, ReadState } from '../parts/Page.tsx'
import { saveFile } from '../parts/save-file.ts'
import { TabBar, TabLink } from '../parts/Tabs.tsx'
import { Time } from '../parts/Time.tsx'
import { useFormat } from '../words/format.ts'
import { useWords } from '../words/use-words.tsx'
import { DeliveryPill, ResendMark } from './delivery-state.tsx'
import { DELIVERY_TABS } from './delivery-search.ts'
import layout from '../parts/layout.module.css'
import styles from './webhooks.module.css'
import deliveryStyles from './delivery.module.css'
import { deliveryWords } from './words-delivery.ts'

const PAGE = '/p/$company/webhooks/deliveries/$delivery'
/** The header of the signature. Each attempt is signed separately, so a delivery has no value of it. */
const SIGNATURE = 'x-service-signature'

/** The body and headers of a delivery's request, and every delivery of its event, as tabs. */
export function DeliveryTabs({ delivery }: { delivery: DeliveryDetail }) {
  const t = useWords(deliveryWords)
  const company = useCompanyId()
  const { tab: open = 'body' } = useSearch({ from: PAGE })
  const others = useSameEvent(delivery)
  const counts = {
    body: undefined,
    headers: delivery.requestHeaders.length + 1,
    event: others.data?.items.length,
  }
  return (
    <section aria-label={t('parts')}>
      <TabBar label={t('parts')}>
        {DELIVERY_TABS.map((tab) => (
          <TabLink
            key={tab}
            to={PAGE}
            params={{ company, delivery: delivery.id }}
            search={tab === 'body' ? {} : { tab }}
            replace
            isOn={tab === open}
            count={counts[tab]}
          >
            {t(`tab_${tab}`)}
          </TabLink>
        ))}
      </TabBar>
      {open === 'body' && <Body delivery={delivery} />}
      {open === 'headers' && <Headers delivery={delivery} />}
      {open === 'event' && <SameEvent delivery={delivery} others={others} />}
    </section>
  )
}

function useSameEvent({ eventId }: DeliveryDetail) {
  const api = useApi()
  return useQuery(api.get('deliveries', { eventId, limit: '100' }))
}

function Body({ delivery: { body, curl, id } }: { delivery: DeliveryDetail }) {
  const t = useWords(deliveryWords)
  const format = useFormat()
  const [isBodyCopied, copyBody] = useCopy()
  const [isCurlCopied, copyCurl] = useCopy({ isShown: false })
  if (body === null) return <Empty title={t('body_gone')}>{t('body_gone_why')}</Empty>
  const bytes = new Blob([body])
  return (
    <>
      <JsonView text={body} label={t('body')} />
      <div className={deliveryStyles.bodyFoot}>
        <Button leftSection={<Icon name="copy" />} onClick={() => copyBody(body)}>
          {isBodyCopied ? t('copied') : t('copy_body')}
        </Button>
        {curl !== null && (
          <Button leftSection={<Icon name="code" />} onClick={() => copyCurl(curl)}>
            {isCurlCopied ? t('copied') : t('copy_curl')}
          </Button>
        )}
        <Button
          leftSection={<Icon name="download" />}
          onClick={() => saveFile(bytes, `${id}.json`)}
        >
          {t('download')}
        </Button>
        <span className={layout.count}>{t('exactly', { size: format.bytes(bytes.size) })}</span>
      </div>
    </>
  )
}

function Headers({ delivery: { requestHeaders } }: { delivery: DeliveryDetail }) {
  const t = useWords(deliveryWords)
  return (
    <table className={deliveryStyles.headers}>
      <thead>
        <tr>
          <th scope="col">{t('header')}</th>
          <th scope="col">{t('value')}</th>
        </tr>
      </thead>
      <tbody>
        {requestHeaders.map(({ name, value }) => (
          <tr key={name}>
            <td>
              <Ltr>{name}</Ltr>
            </td>
            <td>
              <Ltr>{value}</Ltr>
            </td>
          </tr>
        ))}
        <tr>
          <td>
            <Ltr>{SIGNATURE}</Ltr>
          </td>
          <td className={layout.count}>{t('signature_left_out')}</td>
        </tr>
      </tbody>
    </table>
  )
}

function SameEvent({
  delivery,
  others,
}: {
  delivery: DeliveryDetail
  others: ReturnType<typeof useSameEvent>
}) {
  const t = useWords(deliveryWords)
  const company = useCompanyId()
  if (others.isError || others.isPending) return <ReadState of={others} rows={2} />
  return (
    <ul className={deliveryStyles.others} aria-label={t('same_event')}>
      {others.data.items.map((one) => (
        <li key={one.id}>
          <DeliveryPill delivery={one} />
          <ResendMark delivery={one} />
          <Link
            to={PAGE}
            params={{ company, delivery: one.id }}
            className={styles.link}
            aria-current={one.id === delivery.id ? 'page' : undefined}
          >
            <bdi>{one.endpoint.name}</bdi>
          </Link>
          <span className={layout.count}>
            {one.id === delivery.id ? t('this_one') : t(`kind_${one.kind}`)}
          </span>
          <span className={deliveryStyles.atEnd}>
            <Time at={one.createdAt} />
          </span>
        </li>
      ))}
    </ul>
  )
}
