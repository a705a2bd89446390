import { Button, type ButtonProps } from '@mantine/core'
import { useApiMutation } from './use-api-mutation.ts'

/**
 * A button that calls the API. It shows a spinner while the request is in progress, and then a toast with the success
 * or the error.
 */
export function ActButton({
  act,
  done,
  ...button
}: Omit<ButtonProps, 'loading'> & {
  /** @throws ApiError */
  act(): Promise<unknown>
  /** The text of the success message. */
  done?: string
}) {
  const { isBusy, run } = useApiMutation()
  return <Button {...button} loading={isBusy} onClick={() => void run(act, { done })} />
}
