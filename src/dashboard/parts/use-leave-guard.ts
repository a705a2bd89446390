import { useBlocker } from '@tanstack/react-router'

/**
 * Blocks every navigation without a question while `isStaying`: links, keys and the back button do nothing, and the
 * browser asks before it closes the page. It protects a link, secret or code that is shown once, until the member has
 * stored it.
 */
export function useLeaveGuard(isStaying: boolean): void {
  useBlocker({
    shouldBlockFn: () => true,
    disabled: !isStaying,
    enableBeforeUnload: isStaying,
  })
}
