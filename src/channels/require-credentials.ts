import { ServiceError } from '../service-error.ts'
import type { ProviderError, ProviderErrorClass, WhatsAppConnection } from './channel-adapter.ts'
import type { WhatsAppAdapter } from './whatsapp/send.ts'

/** What each class of a provider's error means to whoever connects a channel. */
const MEANS: Record<ProviderErrorClass, string> = {
  auth: 'WhatsApp does not accept the access token for this phone number id',
  rate: 'WhatsApp takes no more requests for the moment; try again in a few minutes',
  billing: 'WhatsApp asks for the billing of the business account to be settled',
  blocked: 'WhatsApp has restricted the business account',
  transient: 'WhatsApp could not be asked; try again in a minute',
  content: 'WhatsApp does not know this phone number id',
  window: 'WhatsApp refused',
  template: 'WhatsApp refused',
  recipient: 'WhatsApp refused',
  opt_out: 'WhatsApp refused',
  other: 'WhatsApp refused',
}

/** A provider's error in a sentence for people. */
export function explainProviderError({ class: errorClass, message, code }: ProviderError): string {
  return `${MEANS[errorClass]}. It said: ${message} (${code}).`
}

const WRONG_INPUT: ReadonlySet<ProviderErrorClass> = new Set(['auth', 'content'])

/**
 * Lets the provider vouch for a channel's ids and access token before they are saved.
 * @throws invalid when the provider does not accept them, provider_failed when it cannot tell.
 */
export async function requireCredentials(
  whatsApp: WhatsAppAdapter,
  connection: WhatsAppConnection,
): Promise<void> {
  const check = await whatsApp.check(connection)
  if (check.ok) return
  const message = explainProviderError(check.error)
  if (!WRONG_INPUT.has(check.error.class)) throw new ServiceError('provider_failed', message)
  throw new ServiceError('invalid', message, {
    errors: [{ field: 'accessToken', code: check.error.class, message }],
  })
}
