import { callStepFaults } from '../contract/call-step-faults.ts'
import type { HttpRequestStep } from '../contract/flow-definition.ts'
import type { StepFault } from './check-template-step.ts'

/** An API connection of the company, as far as a flow depends on it. */
export type KnownConnection = { id: string; name: string; isOn: boolean }

/**
 * What is wrong with a step that calls the merchant's system: its connection must be there, its
 * request and the paths of what it keeps must be readable. A connection that is off is a warning: the
 * step takes its Failed path until it is on. Spec: Calls › HTTP steps.
 */
export function checkCallStep(
  step: HttpRequestStep,
  connections: readonly KnownConnection[],
): StepFault[] {
  const faults: StepFault[] = callStepFaults(step).map(({ field, code, message }) => ({
    rule: code.startsWith('path_') ? 'path_readable' : 'request_valid',
    message: `The ${field} ${message}.`,
    isWarning: false,
  }))
  const connection = connections.find(({ id }) => id === step.request.connectionId)
  if (!connection) {
    faults.push({
      rule: 'connection_exists',
      message: 'The API connection of this call is not there any more. Choose another one.',
      isWarning: false,
    })
  } else if (!connection.isOn) {
    faults.push({
      rule: 'connection_on',
      message: `The API connection "${connection.name}" is switched off: the step takes its Failed path until it is on.`,
      isWarning: true,
    })
  }
  return faults
}
