export function BookingSetup() {
  return null
}
