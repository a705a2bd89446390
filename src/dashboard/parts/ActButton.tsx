import { Button, type ButtonProps } from '@mantine/core'
import { useApiMutation } from './use-api-mutation.ts'

/** A button that asks the API: it shows that it is under way, and says what was done or why it was refused. */
export function ActButton({
  act,
  done,
  ...button
}: Omit<ButtonProps, 'loading'> & {
  /** @throws Refusal */
  act(): Promise<unknown>
  /** Is said once it is done. */
  done?: string
}) {
  const { isBusy, run } = useApiMutation()
  return <Button {...button} loading={isBusy} onClick={() => void run(act, { done })} />
}
