import { callAction } from '../../connections/call-action.ts'
import type { CallDeps } from '../../connections/make-call.ts'
import { offerActions } from '../../connections/offer-actions.ts'
import type { Tool, ToolContext } from './tool.ts'

/**
 * The company's AI actions. One that needs an agreement is drafted: its statement is the reply's last part.
 * Spec: Calls › AI actions; Calls › Confirmation.
 */
export function createActionTools(deps: Pick<CallDeps, 'keyRing' | 'outbound'>): Tool {
  return {
    offer: (context, turn) =>
      turn.known?.hasActions === false ? Promise.resolve([]) : offerActions(context, replyOf(turn)),
    isNamed: (name) => name.startsWith('action_'),
    async use(context, turn, tool, args) {
      const told = await callAction({ ...context, ...deps }, replyOf(turn), { tool, args })
      switch (told.kind) {
        case 'refused':
          return { text: told.text, isDone: false, hasEffect: false }
        case 'drafted': {
          const { text, proposalId } = told
          return { text, isDone: true, hasEffect: false, proposalId }
        }
        case 'called': {
          const { text, isDone, hasEffect, does, mayBeTold } = told
          return { text, isDone, hasEffect, mayBeTold, ...(does && { does }) }
        }
      }
    },
  }
}

const replyOf = ({ companyId, conversationId, replyId }: ToolContext) => ({
  companyId,
  conversationId,
  replyId,
})
