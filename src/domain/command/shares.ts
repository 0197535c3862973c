/** Divides a total so that the parts add up to it exactly: what does not divide goes to the first, a millionth each. */

/** Parts in the ratio of the weights, in millionths. Weights are positive. */
export function divide(totalMicro: bigint, weights: bigint[]): bigint[] {
  const sum = weights.reduce((all, weight) => all + weight, 0n);
  const parts = weights.map((weight) => (totalMicro * weight) / sum);
  let rest = totalMicro - parts.reduce((all, part) => all + part, 0n);
  return parts.map((part) => {
    if (rest === 0n) return part;
    rest -= 1n;
    return part + 1n;
  });
}
