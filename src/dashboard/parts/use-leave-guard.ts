import { useBlocker } from '@tanstack/react-router'

/**
 * Keeps the page open while a text that is shown once is being created or not stored yet. Links, keys and the back
 * button do nothing, and the browser asks before it closes the page.
 */
export function useLeaveGuard(isStaying: boolean): void {
  useBlocker({
    shouldBlockFn: () => true,
    disabled: !isStaying,
    enableBeforeUnload: isStaying,
  })
}
