import { useBlocker } from '@tanstack/react-router'

/**
 * As long as what is shown once is being made, or stands there and is not stored, the page is not left: neither by a
 * link, a key or the way back, nor by closing it without being asked.
 */
export function useLeaveGuard(isStaying: boolean): void {
  useBlocker({
    shouldBlockFn: () => true,
    disabled: !isStaying,
    enableBeforeUnload: isStaying,
  })
}
