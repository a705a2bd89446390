import { fact, type Fact } from '../../../core/facts/fact.ts'
import type { ProviderError, ProviderErrorClass } from '../inbound.ts'
import { whyRefused } from '../why-refused.ts'
import { SECOND_MS } from '../../../core/limits/units.ts'
import { APP_SECRET_WRONG } from '../meta/check-app-secret.ts'
import { classesByCode, type ClassifyCode } from '../meta/read-graph-error.ts'

const CLASSES = classesByCode({
  window: [131047],
  template: [132000, 132001, 132005, 132007, 132012, 132015, 132016, 132018],
  // Undeliverable; the sender itself; not on a test number's list; needs a number, not an id; in a country that the
  // business may not message.
  recipient: [131026, 131021, 131030, 131062, 130497],
  // The customer stopped marketing, reached today's limit, or is in an experiment.
  opt_out: [131049, 131050, 130472],
  // Rate limits of the app, user, page, account, throughput and pair.
  rate: [4, 17, 32, 613, 80007, 130429, 131056],
  // Errors of the token and permissions, or a number that is not registered.
  auth: [0, 3, 10, 190, 131005, 131045, 133010],
  billing: [131042],
  // Spam limit, policy, locked account.
  blocked: [368, 131031, 131048],
  // A missing, invalid or unsupported parameter; unusable media.
  content: [100, 131008, 131009, 131051, 131052, 131053],
  transient: [1, 2, 131000, 131016, 131057, 133004],
})

const MARKETING_STOPPED_CODE = 131050
const PAIR_RATE_CODE = 131056
const PAIR_RATE_WAIT_MS = 6 * SECOND_MS

/** Classifies WhatsApp's error codes. */
export const classifyWhatsAppCode: ClassifyCode = (code, fields) => ({
  class: classOf(code, fields),
  ...(code === PAIR_RATE_CODE ? { retryAfterMs: PAIR_RATE_WAIT_MS } : {}),
  ...(code === MARKETING_STOPPED_CODE ? { stopsMarketing: true as const } : {}),
})

function classOf(
  code: number,
  fields: { error_subcode?: unknown; is_transient?: unknown },
): ProviderErrorClass {
  // The number does not exist for this token, so the message is not at fault.
  if (code === 100 && Number(fields.error_subcode) === 33) {
    return 'auth'
  }
  const isPermission = code >= 200 && code <= 299
  return (
    CLASSES.get(code) ??
    (isPermission ? 'auth' : fields.is_transient === true ? 'transient' : 'other')
  )
}

/** Returns what an error means to the member who connects a channel, with WhatsApp's message. */
export function explainWhatsAppError(error: ProviderError): Fact {
  const values = { said: error.message, providerCode: error.code }
  if (error.code === APP_SECRET_WRONG) return fact('meta_app_secret_wrong')
  switch (error.class) {
    case 'auth':
    case 'rate':
    case 'billing':
    case 'blocked':
    case 'transient':
    case 'content':
      return fact(`whatsapp_${error.class}`, values)
    case 'window':
    case 'template':
    case 'recipient':
    case 'opt_out':
    case 'other':
      return whyRefused(error)
  }
}
