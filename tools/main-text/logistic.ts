/*
 * Logistic regression with a ridge, by Newton's method (iteratively reweighted least squares). Rows are sparse enough to pass
 * over zeros. The ridge of each weight is that of a standardised feature.
 */

const ITERATIONS_MAX = 10;
/** The largest change of a weight at which the next step would change nothing that shows. */
const ENOUGH = 0.02;

/** Rows of `width` numbers each, with a label 0 or 1 and a weight. */
export interface Rows {
  readonly width: number;
  readonly count: number;
  readonly values: Float32Array;
  readonly labels: Uint8Array;
  readonly weights: Float32Array;
}

/** The weights of the features, and last the constant. */
export function fitLogistic({ width, count, values, labels, weights }: Rows, ridge: number): Float64Array {
  const size = width + 1;
  const beta = new Float64Array(size);
  const penalty = penaltiesOf({ width, count, values, labels, weights }, ridge);
  const nonZero = new Uint16Array(size);
  for (let iteration = 0; iteration < ITERATIONS_MAX; iteration++) {
    const hessian = new Float64Array(size * size);
    const gradient = new Float64Array(size);
    for (let row = 0, at = 0; row < count; row++, at += width) {
      let score = beta[width]!;
      let n = 0;
      for (let j = 0; j < width; j++) {
        const value = values[at + j]!;
        if (value === 0) continue;
        score += beta[j]! * value;
        nonZero[n++] = j;
      }
      const p = 1 / (1 + Math.exp(-score));
      const w = weights[row]!;
      const error = w * (labels[row]! - p);
      const curve = w * Math.max(p * (1 - p), 1e-6);
      for (let a = 0; a < n; a++) {
        const j = nonZero[a]!;
        const value = values[at + j]!;
        gradient[j]! += error * value;
        const scaled = curve * value;
        const line = j * size;
        for (let b = a; b < n; b++) hessian[line + nonZero[b]!]! += scaled * values[at + nonZero[b]!]!;
        hessian[line + width]! += scaled;
      }
      gradient[width]! += error;
      hessian[width * size + width]! += curve;
    }
    for (let j = 0; j < width; j++) {
      gradient[j]! -= penalty[j]! * beta[j]!;
      hessian[j * size + j]! += penalty[j]! + 1e-9;
    }
    const step = solve(hessian, gradient, size);
    let largest = 0;
    for (let j = 0; j < size; j++) {
      beta[j]! += step[j]!;
      largest = Math.max(largest, Math.abs(step[j]!));
    }
    if (largest < ENOUGH) break;
  }
  return beta;
}

/** The ridge times the variance of each feature. */
function penaltiesOf({ width, count, values, weights }: Rows, ridge: number): Float64Array {
  const [sums, squares] = [new Float64Array(width), new Float64Array(width)];
  let total = 0;
  for (let row = 0, at = 0; row < count; row++, at += width) {
    const w = weights[row]!;
    total += w;
    for (let j = 0; j < width; j++) {
      const value = values[at + j]!;
      sums[j]! += w * value;
      squares[j]! += w * value * value;
    }
  }
  return sums.map((sum, j) => ridge * (squares[j]! / total - (sum / total) ** 2 + 1e-6));
}

/** x of A x = b, A symmetric and positive, given by its upper half (Cholesky). */
function solve(a: Float64Array, b: Float64Array, size: number): Float64Array {
  const lower = new Float64Array(size * size);
  for (let i = 0; i < size; i++) {
    for (let j = 0; j <= i; j++) {
      let sum = a[j * size + i]!;
      for (let k = 0; k < j; k++) sum -= lower[i * size + k]! * lower[j * size + k]!;
      lower[i * size + j] = i === j ? Math.sqrt(Math.max(sum, 1e-12)) : sum / lower[j * size + j]!;
    }
  }
  const x = new Float64Array(size);
  for (let i = 0; i < size; i++) {
    let sum = b[i]!;
    for (let k = 0; k < i; k++) sum -= lower[i * size + k]! * x[k]!;
    x[i] = sum / lower[i * size + i]!;
  }
  for (let i = size - 1; i >= 0; i--) {
    let sum = x[i]!;
    for (let k = i + 1; k < size; k++) sum -= lower[k * size + i]! * x[k]!;
    x[i] = sum / lower[i * size + i]!;
  }
  return x;
}
