import type { EndpointView } from '../../contract/dashboard/endpoint.ts'
import type { EndpointState } from '../../core/vocabulary/deliveries.ts'
import { Pill, type Looks } from '../parts/Pill.tsx'
import { useWords } from '../words/use-words.tsx'
import { webhooksWords } from './words.ts'

const LOOKS: Looks<EndpointState> = {
  untried: { tone: 'off', icon: 'clock' },
  untried_since_on: { tone: 'off', icon: 'clock' },
  healthy: { tone: 'ok', icon: 'ok' },
  failing: { tone: 'warn', icon: 'warning' },
  not_in_plan: { tone: 'off', icon: 'pause' },
  off_failures: { tone: 'bad', icon: 'failed' },
  off_gone: { tone: 'bad', icon: 'failed' },
  off_by_member: { tone: 'off', icon: 'off' },
}

/** The order of the list: endpoints that need attention first. */
const URGENCY: Readonly<Record<EndpointState, number>> = {
  off_failures: 0,
  off_gone: 0,
  failing: 1,
  untried: 2,
  untried_since_on: 2,
  healthy: 2,
  not_in_plan: 2,
  off_by_member: 3,
}

/** Compares two endpoints for sorting: the one with the worse state, then with more failures, comes first. */
export function byUrgency(one: EndpointView, other: EndpointView): number {
  return URGENCY[one.state] - URGENCY[other.state] || other.failuresInRow - one.failuresInRow
}

/** The state of an endpoint, as an icon with a word. */
export function EndpointPill({ endpoint }: { endpoint: EndpointView }) {
  const t = useWords(webhooksWords)
  return <Pill {...LOOKS[endpoint.state]}>{t(endpoint.state)}</Pill>
}

/** A URL with a bold host, which is the part that distinguishes endpoints. */
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
