import { useRouter } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useCompanyId } from '../app/company.ts'

/** A link to a page of the company: `contacts/{id}`. It opens here, or in a tab of its own if asked. */
export function OtherLink({
  path,
  className,
  children,
}: {
  path: string
  className?: string | undefined
  children: ReactNode
}) {
  const { history } = useRouter()
  const href = `/p/${useCompanyId()}/${path}`
  return (
    <a
      href={href}
      className={className}
      onClick={(event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey) return
        event.preventDefault()
        history.push(href)
      }}
    >
      {children}
    </a>
  )
}
