import { fact } from '../../src/core/facts/fact.ts'
import { guardedAddresses } from '../../src/infra/egress/guarded-addresses.ts'
import { OutboundError } from '../../src/infra/egress/outbound-error.ts'
import { readConnectionBaseUrl, readEndpointUrl } from '../../src/rules/addresses/merchant-url.ts'
import { isPublicAddress } from '../../src/rules/addresses/public-address.ts'
import type { ConformanceCase, Report } from './report.ts'

type UrlCase = {
  id: string
  url: string
  ruleSet: 'endpoint' | 'connection'
  accept: boolean
  resolves: string[]
  stored?: string
  optional?: boolean
}

export async function run(cases: ConformanceCase[], report: Report): Promise<void> {
  for (const one of cases as UrlCase[]) {
    await report.check(one.id, () => isAcceptedAs(one), one.optional ? [true, false] : [one.accept])
  }
}

/** Returns whether the URL is saved. @throws Error if it is saved in another form than the case expects. */
async function isAcceptedAs(one: UrlCase): Promise<boolean> {
  const stored = await save(one)
  if (stored !== null && one.stored !== undefined && stored !== one.stored) {
    throw new Error(`stored as ${stored} instead of ${one.stored}`)
  }
  return stored !== null
}

/**
 * Saves the URL as the dashboard does: checks the text, then the addresses of its name. Returns null when it is
 * refused.
 */
async function save({ url, ruleSet, resolves }: UrlCase): Promise<string | null> {
  const read = ruleSet === 'endpoint' ? readEndpointUrl(url) : readConnectionBaseUrl(url)
  if (!read.ok) return null
  const resolve = async () => {
    if (resolves.length === 0) throw new OutboundError('dns_failed', fact('host_without_address'))
    return resolves
  }
  try {
    await guardedAddresses(read.value.hostname, {
      resolve,
      isAllowedAddress: isPublicAddress,
      signal: new AbortController().signal,
    })
  } catch {
    return null
  }
  return read.value.href
}
