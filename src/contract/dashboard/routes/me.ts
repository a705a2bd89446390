import type { EditMe, MeView } from '../me.ts'
import type {
  BegunSecondFactor,
  RecoveryCodes,
  SecondFactorCode,
  SecondFactorView,
} from '../second-factor.ts'
import type { Route } from './route.ts'

export interface MeRoutes {
  '/me': {
    get: Route<MeView>
    patch: Route<MeView, { json: typeof EditMe }>
  }
  '/me/second-factor': { get: Route<SecondFactorView> }
  '/me/second-factor/begin': { post: Route<BegunSecondFactor> }
  '/me/second-factor/confirm': { post: Route<RecoveryCodes, { json: typeof SecondFactorCode }> }
  '/me/second-factor/switch-off': { post: Route<null, { json: typeof SecondFactorCode }> }
  '/me/second-factor/recovery-codes': {
    post: Route<RecoveryCodes, { json: typeof SecondFactorCode }>
  }
}
