import type { EndpointView } from '../../contract/dashboard/endpoint.ts'
import { Pill, type Tone } from '../parts/Pill.tsx'
import type { IconName } from '../parts/icons.ts'
import { useWords } from '../words/use-words.tsx'
import { webhooksWords } from './words.ts'

type EndpointState = 'healthy' | 'failing' | 'off_failures' | 'off_gone' | 'off_by_member'

const LOOKS: Readonly<Record<EndpointState, { tone: Tone; icon: IconName }>> = {
  healthy: { tone: 'ok', icon: 'ok' },
  failing: { tone: 'warn', icon: 'warning' },
  off_failures: { tone: 'bad', icon: 'failed' },
  off_gone: { tone: 'bad', icon: 'failed' },
  off_by_member: { tone: 'off', icon: 'off' },
}

export function stateOf({
  isOn,
  off,
  failuresInRow,
}: Pick<EndpointView, 'isOn' | 'off' | 'failuresInRow'>): EndpointState {
  if (isOn) return failuresInRow > 0 ? 'failing' : 'healthy'
  if (off?.reason === 'gone') return 'off_gone'
  return off?.reason === 'by_member' ? 'off_by_member' : 'off_failures'
}

/** The order of the list: what needs a person first. */
const URGENCY: Readonly<Record<EndpointState, number>> = {
  off_failures: 0,
  off_gone: 0,
  failing: 1,
  healthy: 2,
  off_by_member: 3,
}

export function byUrgency(one: EndpointView, other: EndpointView): number {
  return URGENCY[stateOf(one)] - URGENCY[stateOf(other)] || other.failuresInRow - one.failuresInRow
}

export function EndpointPill({ endpoint }: { endpoint: EndpointView }) {
  const t = useWords(webhooksWords)
  const state = stateOf(endpoint)
  return <Pill {...LOOKS[state]}>{t(state)}</Pill>
}

/** A URL with its host in bold: that is what tells two apart. */
export function UrlText({ url }: { url: string }) {
  const host = URL.canParse(url) ? new URL(url).host : ''
  const at = host === '' ? -1 : url.indexOf(host)
  if (at < 0) return url
  return (
    <>
      {url.slice(0, at)}
      <strong>{host}</strong>
      {url.slice(at + host.length)}
    </>
  )
}
