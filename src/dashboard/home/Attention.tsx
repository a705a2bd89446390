import type { Attention as Item } from '../../contract/dashboard/home.ts'
import { callsWords } from '../connections/words-calls.ts'
import { channelWords } from '../../core/words/channel-words.ts'
import { Ltr } from '../parts/Code.tsx'
import { Panel } from '../parts/Page.tsx'
import type { PageAddress } from '../app/pages.ts'
import { PageLink } from '../parts/PageLink.tsx'
import { Pill } from '../parts/Pill.tsx'
import { Time } from '../parts/Time.tsx'
import { Rich, useWords } from '../words/use-words.tsx'
import layout from '../parts/layout.module.css'
import styles from './home.module.css'
import { homeWords } from './words.ts'

/** The channels, endpoints, connections and actions that are on but do not work, each with a link. */
export function Attention({ items }: { items: readonly Item[] }) {
  const t = useWords(homeWords)
  return (
    <div className={styles.attention}>
      <Panel isFlush title={t('attention')}>
        <ul className={styles.waiting}>
          {items.map((item) => (
            <li key={item.kind === 'plan' ? 'plan' : item.id}>
              <PageLink at={placeOf(item)} className={styles.customer}>
                <span className={styles.customerText}>
                  <span className={layout.strong}>
                    <Name item={item} />
                  </span>
                  <span className={layout.smallText}>
                    <Why item={item} />
                  </span>
                </span>
                <Badge item={item} />
              </PageLink>
            </li>
          ))}
        </ul>
      </Panel>
    </div>
  )
}

function placeOf(item: Item): PageAddress {
  switch (item.kind) {
    case 'plan':
      return 'plan'
    case 'channel':
      return `channels/${item.id}`
    case 'endpoint':
      return `webhooks/${item.id}`
    case 'connection':
      return `connections/${item.id}`
    case 'action':
      return `actions/${item.id}`
  }
}

function Name({ item }: { item: Item }) {
  const t = useWords(homeWords)
  const types = useWords(channelWords)
  if (item.kind === 'plan') return t('attention_plan')
  const given = item.kind === 'channel' ? (item.name ?? types(item.type)) : item.name
  const name = item.kind === 'action' ? <Ltr>{given}</Ltr> : <bdi>{given}</bdi>
  return <Rich words={homeWords} say={`attention_${item.kind}`} with={{ name }} />
}

function Why({ item }: { item: Item }) {
  const t = useWords(homeWords)
  const calls = useWords(callsWords)
  switch (item.kind) {
    case 'plan':
      return t('attention_plan_why')
    case 'channel':
      return item.reason?.text ?? t('attention_channel_why')
    case 'endpoint':
      return item.since === null ? (
        t('attention_endpoint_why')
      ) : (
        <Rich
          words={homeWords}
          say={item.state === 'failing' ? 'attention_failing_since' : 'attention_off_since'}
          with={{ time: <Time at={item.since} /> }}
        />
      )
    case 'connection':
    case 'action': {
      const why =
        item.lastStatus === null ? calls(item.lastFailure) : <Ltr>{`HTTP ${item.lastStatus}`}</Ltr>
      return <Rich words={homeWords} say="attention_calls_why" with={{ n: item.calls, why }} />
    }
  }
}

function Badge({ item }: { item: Item }) {
  const t = useWords(homeWords)
  if (item.kind === 'plan') return <Pill tone="warn">{t('attention_idle')}</Pill>
  if (item.kind === 'channel') {
    return (
      <Pill tone={item.isConnected ? 'warn' : 'bad'}>
        {t(item.isConnected ? 'attention_problem' : 'attention_disconnected')}
      </Pill>
    )
  }
  const isOff = item.kind === 'endpoint' && item.state !== 'failing'
  return (
    <Pill tone={isOff ? 'bad' : 'warn'}>{t(isOff ? 'attention_off' : 'attention_failing')}</Pill>
  )
}
