import { callAction } from '../../connections/call-action.ts'
import type { CallDeps } from '../../connections/make-call.ts'
import { offerActions } from '../../connections/offer-actions.ts'
import type { Tool, ToolContext } from './tool.ts'

/**
 * Creates the tool that offers and executes all AI actions of a company. An action that needs confirmation is drafted,
 * and its statement is the reply's last part.
 * Spec: Calls › AI actions; Calls › Confirmation.
 */
export function createActionTool(deps: Pick<CallDeps, 'keyRing' | 'outbound'>): Tool {
  return {
    offer: (context, toolContext) =>
      toolContext.known?.hasActions === false
        ? Promise.resolve([])
        : offerActions(context, replyOf(toolContext)),
    isNamed: (name) => name.startsWith('action_'),
    async use(context, toolContext, tool, args) {
      const result = await callAction({ ...context, ...deps }, replyOf(toolContext), { tool, args })
      switch (result.kind) {
        case 'refused':
          return { text: result.text, isDone: false, hasEffect: false }
        case 'drafted': {
          const { text, proposalId } = result
          return { text, isDone: true, hasEffect: false, proposalId }
        }
        case 'called': {
          const { text, isDone, hasEffect, does, mayBeReported } = result
          return { text, isDone, hasEffect, mayBeReported, ...(does && { does }) }
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
