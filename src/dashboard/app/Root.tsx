import { Outlet } from '@tanstack/react-router'
import { Toasts } from '../parts/toasts.tsx'
import { PasswordPrompt } from './PasswordPrompt.tsx'

export function Root() {
  return (
    <>
      <Outlet />
      <PasswordPrompt />
      <Toasts />
    </>
  )
}
