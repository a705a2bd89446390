import { ServiceError } from '../../core/service-error.ts'
import type { ChannelAdapter, CredentialsForm, SecretUse } from './channel-adapter.ts'
import type { ChannelAccess } from './channel-access.ts'
import type { ProviderError, ProviderErrorClass } from './inbound.ts'
import { APP_SECRET_WRONG } from './meta/check-app-secret.ts'

/** Returns the fields of a form with secrets for a use. */
export function secretFieldsFor({ secrets }: CredentialsForm, use: SecretUse): string[] {
  return Object.keys(secrets).filter((field) => secrets[field] === use)
}

const WRONG_INPUT: ReadonlySet<ProviderErrorClass> = new Set(['auth', 'content'])

/** The use of the secrets that an error is about. */
const wrongUse = ({ code }: ProviderError): SecretUse =>
  code === APP_SECRET_WRONG ? 'verifies' : 'authenticates'

/**
 * Requires that the provider confirms a channel's ids and credentials, before they are stored.
 * @throws invalid when the provider does not accept them, provider_failed without an answer.
 */
export async function requireCredentials(
  adapter: ChannelAdapter,
  channel: ChannelAccess,
): Promise<void> {
  const check = await adapter.check(channel)
  if (check.ok) return
  const reason = adapter.explain(check.error)
  if (!WRONG_INPUT.has(check.error.class)) throw new ServiceError('provider_failed', reason)
  throw new ServiceError('invalid', reason, {
    errors: secretFieldsFor(adapter.form, wrongUse(check.error)).map((field) => ({
      field: `credentials.${field}`,
      ...reason,
    })),
  })
}
