// snippet:doc https://docs.flutter.dev/ui/adaptive-responsive Adaptive design
// snippet:about Flutter
// snippet:needs Flutter 3.24
import 'package:flutter/material.dart';

class MailPage extends StatelessWidget {
  const MailPage({super.key, required this.mails, required this.selected, required this.onSelect});
  final List<String> mails;
  final int? selected; // kept by the page above
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
