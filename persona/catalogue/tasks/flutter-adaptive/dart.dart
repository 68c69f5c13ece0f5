// snippet:doc https://docs.flutter.dev/ui/adaptive-responsive Adaptive design
// snippet:into Put it into lib of a Flutter app, as the body of a Scaffold.
// snippet:about Flutter
// snippet:needs Flutter 3.24
// snippet:prints passed shows the list or the details, or both
import 'package:flutter/material.dart';
// snippet:check
import 'package:flutter_test/flutter_test.dart';
// snippet:end

class MailPage extends StatelessWidget {
  const MailPage({super.key, required this.mails, required this.selected, required this.onSelect});
  final List<String> mails;
  final int? selected; // an index of mails, kept by the page above
  final ValueChanged<int?> onSelect;

  @override
  Widget build(BuildContext context) => LayoutBuilder(builder: (context, room) {
        final list = ListView.builder(
          itemCount: mails.length,
          itemBuilder: (context, index) =>
              ListTile(title: Text(mails[index]), selected: index == selected, onTap: () => onSelect(index)),
        );
        final details = Center(child: Text(selected == null ? 'Choose a mail' : mails[selected!]));

        if (room.maxWidth >= 600) {
          return Row(children: [SizedBox(width: 280, child: list), const VerticalDivider(), Expanded(child: details)]);
        }
        return PopScope(
          canPop: selected == null,
          onPopInvokedWithResult: (didPop, _) { if (!didPop) onSelect(null); }, // Android's gesture
          child: selected == null
              ? list
              : Column(children: [BackButton(onPressed: () => onSelect(null)), Expanded(child: details)]),
        );
      });
}

// snippet:check
class _Keeper extends StatefulWidget {
  const _Keeper();
  @override
  State<_Keeper> createState() => _KeeperState();
}

class _KeeperState extends State<_Keeper> {
  int? selected;

  @override
  Widget build(BuildContext context) => Scaffold(
      body: MailPage(
          mails: const ['One', 'Two'], selected: selected, onSelect: (index) => setState(() => selected = index)));
}

// Without the splash, whose shader is an asset that an application brings along.
void main() {
  testWidgets('shows the list or the details, or both', (tester) async {
    tester.view.devicePixelRatio = 1;
    tester.view.physicalSize = const Size(400, 800);
    addTearDown(tester.view.reset);
    await tester.pumpWidget(MaterialApp(theme: ThemeData(splashFactory: NoSplash.splashFactory), home: const _Keeper()));
    expect(find.byType(ListTile), findsNWidgets(2));
    expect(find.byType(VerticalDivider), findsNothing);

    await tester.tap(find.text('Two'));
    await tester.pumpAndSettle();
    expect(find.byType(ListTile), findsNothing);
    expect(find.text('Two'), findsOneWidget);

    tester.view.physicalSize = const Size(800, 400); // turned: nothing is lost
    await tester.pumpAndSettle();
    expect(find.byType(ListTile), findsNWidgets(2));
    expect(find.byType(VerticalDivider), findsOneWidget);
    expect(find.text('Two'), findsNWidgets(2));

    tester.view.physicalSize = const Size(400, 800);
    await tester.pumpAndSettle();
    expect(await tester.binding.handlePopRoute(), isTrue); // Android's gesture
    await tester.pumpAndSettle();
    expect(find.byType(ListTile), findsNWidgets(2));

    await tester.tap(find.text('One'));
    await tester.pumpAndSettle();
    await tester.tap(find.byType(BackButton));
    await tester.pumpAndSettle();
    expect(find.byType(ListTile), findsNWidgets(2));
  });
}
