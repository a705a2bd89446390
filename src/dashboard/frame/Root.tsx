import { Outlet } from '@tanstack/react-router'
import { lazy, Suspense, useSyncExternalStore } from 'react'
import { Toasts } from '../parts/toasts.tsx'
import { isPasswordAsked, watchPassword } from '../app/ask-for-password.ts'

const PasswordPrompt = lazy(() =>
  import('./PasswordPrompt.tsx').then((module) => ({ default: module.PasswordPrompt })),
)

/** The outermost component of every page, with the password dialog and the toasts above it. */
export function Root() {
  const isAsked = useSyncExternalStore(watchPassword, isPasswordAsked)
  return (
    <>
      <Outlet />
      {isAsked && (
        <Suspense>
          <PasswordPrompt />
        </Suspense>
      )}
      <Toasts />
    </>
  )
}
