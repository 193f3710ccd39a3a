/// Products whose factors are rounded to fewer bits than float32 has, which some processors multiply faster.
///
/// bfloat16 is multiplied in pairs, each added to a float32. float16 has sums of its own kind, which lose as they grow:
/// after some steps they are added to a float32 and begin anew.
package enum RoundedFactors {
  /// The most products that a sum of float16 has.
  package static let stepsOfHalves = 32
}
