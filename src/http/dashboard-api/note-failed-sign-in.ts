import {
  recordFailedSignIn,
  type SignInTried,
} from '../../modules/accounts/record-failed-sign-in.ts'
import { ServiceError } from '../../core/service-error.ts'
import { SIGN_IN_FAILURES, type SignInFailure } from '../../core/vocabulary/accounts.ts'
import type { HttpDeps } from '../http-deps.ts'

/**
 * Runs a sign-in. A failure is counted and logged and, where it concerns an account, written to its audit. The row is
 * written after the response, because the response time would reveal who is a member.
 */
export async function noteFailedSignIn<T>(
  context: Pick<HttpDeps, 'db' | 'ids' | 'clock' | 'log' | 'metrics'>,
  { address, requestId, tried }: { address: string; requestId: string; tried: SignInTried },
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (thrown) {
    const failure = thrown instanceof ServiceError ? thrown.code : null
    if (isFailure(failure)) {
      const reason = (thrown as ServiceError).reason.code
      context.metrics.signInFailed(failure)
      context.log.warn({ requestId, address, failure, reason }, 'a sign-in failed')
      if (failure === 'sign_in_failed') {
        recordFailedSignIn(context, tried, { address, reason }).catch((error: unknown) => {
          context.log.warn({ err: error, requestId }, 'a failed sign-in could not be written down')
        })
      }
    }
    throw thrown
  }
}

const isFailure = (code: string | null): code is SignInFailure =>
  (SIGN_IN_FAILURES as readonly (string | null)[]).includes(code)
